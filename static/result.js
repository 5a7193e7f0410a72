// Opens a quotation in its place, and copies the permanent address.
function open(anchor) {
  const mark = anchor && document.getElementById(anchor);
  if (!mark) return false;
  mark.closest("details")?.setAttribute("open", "");
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  mark.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
  mark.focus({ preventScroll: true });
  return true;
}

for (const link of document.querySelectorAll("a.quotation")) {
  link.addEventListener("click", (event) => {
    const anchor = link.hash.slice(1);
    if (open(anchor)) {
      event.preventDefault();
      history.replaceState(null, "", link.hash);
    }
  });
}
open(location.hash.slice(1));

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
