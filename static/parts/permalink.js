// The menu "Link and exports": copies the permanent address, and closes.
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

// An open menu closes by Escape, which returns the focus, and by a click elsewhere.
const menu = document.getElementById("keep");
document.addEventListener("click", (event) => {
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu?.open) return;
  event.stopImmediatePropagation(); // Escape closes nothing else
  menu.open = false;
  menu.querySelector("summary").focus();
}, true);
