// Opens a claim beside its sentence without loading the report again. Without this, links do the same.
const panel = () => document.getElementById("panel");
const plainClick = (event) => event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
let opener = null;

async function open(link) {
  const place = new URL(link.href);
  const address = `${place.pathname}/claims/${place.searchParams.get("claim")}/panel${place.search}`;
  const answer = await fetch(address, { cache: "no-store" });
  if (!answer.ok) throw new Error(String(answer.status));
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("panel");
  remove();
  const sentence = document.getElementById(place.hash.slice(1));
  let last = sentence;
  while (last.nextElementSibling === last.nextSibling && last.nextSibling?.matches("sup.ref")) last = last.nextSibling;
  last.after(document.importNode(fresh, true));
  sentence.setAttribute("aria-current", "true");
  opener = link;
  history.replaceState(null, "", place);
  panel().focus({ preventScroll: true });
  panel().scrollIntoView({ block: "nearest" });
}

function remove() {
  document.querySelector("#marked .checked[aria-current]")?.removeAttribute("aria-current");
  panel()?.remove();
}

function close() {
  const sentence = document.querySelector("#marked .checked[aria-current]");
  const place = new URL(location.href);
  place.searchParams.delete("claim");
  remove();
  history.replaceState(null, "", place);
  (opener?.isConnected ? opener : sentence)?.focus();
}

document.getElementById("marked")?.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || !plainClick(event)) return;
  if (link.matches(".close")) {
    event.preventDefault();
    close();
  } else if (link.matches(".checked, .ref a") && link.hash.startsWith("#sentence-")) {
    event.preventDefault();
    open(link).catch(() => location.assign(link.href));
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && panel()) close();
});
