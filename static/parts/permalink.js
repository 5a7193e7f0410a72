// Copies the permanent address.
const address = document.getElementById("permalink");
const copy = document.getElementById("copy");
address?.addEventListener("focus", () => address.select());
if (address && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    const copied = document.getElementById("copied");
    try {
      await navigator.clipboard.writeText(address.value);
      copied.textContent = "Copied";
    } catch {
      address.select();
      copied.textContent = "Press Ctrl+C to copy";
    }
  });
}
