// Opens a claim beside its sentence and signs its verdict without reloading the report. Without scripts, links and the
// form do the same.
const SHOWN = ["#marked .article", "#found tbody", ".tally", "#status"]; // the parts that a signed verdict changes
const panel = () => document.getElementById("panel");
const current = () => document.querySelector("#marked .checked[aria-current], #found .opens[aria-current]");
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
  put(document.importNode(fresh, true), sentence);
  sentence.setAttribute("aria-current", "true");
  opener = link;
  history.replaceState(null, "", place);
  panel().focus({ preventScroll: true });
  panel().scrollIntoView({ block: "nearest" });
}

// After the sentence and the marks of its claims, or in a row of its own in a table.
function put(fresh, sentence) {
  const row = sentence.closest("tr");
  if (row) {
    const below = document.createElement("tr");
    below.className = "opened";
    below.insertCell().colSpan = row.cells.length;
    below.cells[0].append(fresh);
    row.after(below);
    return;
  }
  let last = sentence;
  while (last.nextElementSibling === last.nextSibling && last.nextSibling?.matches(".tied")) last = last.nextSibling;
  last.after(fresh);
}

function remove() {
  current()?.removeAttribute("aria-current");
  (panel()?.closest("tr.opened") ?? panel())?.remove();
}

function close() {
  const sentence = current();
  const place = new URL(location.href);
  place.searchParams.delete("claim");
  remove();
  history.replaceState(null, "", place);
  (opener?.isConnected ? opener : sentence)?.focus();
}

const found = document.getElementById("marked") ?? document.getElementById("found");
found?.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || !plainClick(event)) return;
  if (link.matches(".close")) {
    event.preventDefault();
    close();
  } else if (link.matches(".checked, .opens, .ref a") && link.hash.startsWith("#sentence-")) {
    event.preventDefault();
    open(link).catch(() => location.assign(link.href));
  }
});

// The answer is the report with the next claim opened, or with the fault.
async function sign(form) {
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!fresh.getElementById("panel")) throw new Error(String(answer.status));
  for (const place of SHOWN) {
    document.querySelector(place)?.replaceWith(document.importNode(fresh.querySelector(place), true));
  }
  const sentence = current();
  if (answer.ok) history.replaceState(null, "", `${new URL(answer.url).pathname}${new URL(answer.url).search}#${sentence.id}`);
  opener = sentence;
  panel().focus({ preventScroll: true });
  sentence.scrollIntoView({ block: "start" });
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("#panel .signing")) return;
  event.preventDefault();
  sign(event.target).catch(() => event.target.submit());
});

// The keys work while the focus is in the panel, but not in a field.
function choose(event) {
  if (!panel()?.contains(event.target) || event.target.matches("textarea, input:not([type=radio])")) return;
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  const choice = /^[1-4]$/.test(event.key) && panel().querySelectorAll("input[name=label]")[Number(event.key) - 1];
  if (!choice) return;
  event.preventDefault();
  choice.closest("details")?.setAttribute("open", "");
  choice.checked = true;
  const { author, note } = choice.form.elements;
  (author.value ? note : author).focus();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && panel()) close();
  else choose(event);
});
