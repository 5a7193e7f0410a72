// Opens the page of a quotation at its place.
function open(anchor) {
  const mark = anchor && document.getElementById(anchor);
  if (mark?.tagName !== "MARK") return false;
  mark.closest("details")?.setAttribute("open", "");
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  mark.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
  mark.focus({ preventScroll: true });
  return true;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a.quotation");
  if (link && open(link.hash.slice(1))) {
    event.preventDefault();
    history.replaceState(null, "", link.hash);
  }
});
open(location.hash.slice(1));
