/* Follows loads: updates their figures in place, and replaces the whole section when a load changes state. */

const EVERY = 1000;

function update(fresh) {
  for (const one of fresh.querySelectorAll("[data-live]")) {
    const shown = document.querySelector(`[data-live="${one.dataset.live}"]`);
    if (!shown) continue;
    if (one.hasAttribute("value")) shown.setAttribute("value", one.getAttribute("value"));
    if (shown.textContent !== one.textContent) shown.textContent = one.textContent;
  }
}

async function follow() {
  const section = document.getElementById("loads-section");
  if (!section?.dataset.atWork) return;
  try {
    const response = await fetch(location.pathname, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.getElementById("loads-section");
    if (response.ok && fresh) {
      if (fresh.dataset.states !== section.dataset.states) return replace(page, section, fresh);
      update(fresh);
    }
  } catch {}
  setTimeout(follow, EVERY);
}

/* Replaces the lists of loads and corpora by their current versions, except where something is typed or opened. */
function replace(page, section, fresh) {
  const focused = section.contains(document.activeElement);
  section.replaceWith(document.adoptNode(fresh));
  for (const told of document.querySelectorAll("main > .notice[role=status]")) told.remove(); // of the state before
  const [there, now] = [document, page].map((one) => one.querySelector(".corpora-list"));
  if (there && now && !there.querySelector("details[open]")) there.replaceWith(document.adoptNode(now));
  if (focused) {
    const heading = document.getElementById("loads");
    heading.tabIndex = -1;
    heading.focus();
  }
  setTimeout(follow, EVERY);
}

/* Shows the field for a folder or address only if the chosen source needs it. */
const other = document.querySelector(".other-dump");
const choices = document.querySelectorAll("input[name=source]");
function ask() {
  other.hidden = document.querySelector("input[name=source]:checked")?.value !== "other";
}
if (other) {
  for (const choice of choices) choice.addEventListener("change", ask);
  ask();
}
follow();
