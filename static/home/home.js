// Enter sends the claim (it is one sentence); a second click does not send it twice.
const field = document.getElementById("claim");

field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    field.form.requestSubmit();
  }
});

// Only one of a file and typed text can be read, so the form is sent only once one of them is removed. Nor is a file sent
// that is too large: the answer would be a page without what was typed and chosen here.
const file = document.getElementById("file");
const noFile = document.getElementById("no-file");

function refuse() {
  const [chosen] = file.files;
  noFile.hidden = !chosen;
  const fault = chosen && (field.value.trim() ? file.dataset.both : chosen.size > file.dataset.most && file.dataset.large);
  file.setCustomValidity(fault || "");
}

field.addEventListener("input", refuse);
file.addEventListener("change", refuse);
file.addEventListener("invalid", () => {
  document.getElementById("options").open = true; // browsers show no message at a hidden field
});
noFile.addEventListener("click", () => {
  file.value = "";
  refuse();
  file.focus();
});

// This browser remembers the recipe and the corpora, unless the address names others.
const options = document.getElementById("options");
const REMEMBERED = "esoteric-options";

function chosen() {
  return {
    recipe: field.form.querySelector("[name=recipe]:checked")?.value ?? "",
    against: document.getElementById("against").value,
  };
}

function tellChosen() {
  const way = field.form.querySelector("[name=recipe]:checked");
  const words = [field.form.querySelector(`label[for="${way?.id}"]`)?.textContent];
  const against = document.getElementById("against");
  if (against.selectedIndex > 0) words.push(against.selectedOptions[0].textContent);
  document.getElementById("chosen").textContent = words.filter(Boolean).join(", ");
}

if (options) {
  try {
    const before = JSON.parse(localStorage.getItem(REMEMBERED) ?? "null");
    if (before && !location.search && !document.getElementById("problem")) {
      const way = document.getElementById(`recipe-${before.recipe}`);
      if (way) way.checked = true;
      const against = document.getElementById("against");
      if ([...against.options].some((one) => one.value === before.against)) against.value = before.against;
    }
  } catch {
    // The browser stores nothing.
  }
  tellChosen();
  options.addEventListener("change", () => {
    tellChosen();
    try {
      localStorage.setItem(REMEMBERED, JSON.stringify(chosen()));
    } catch {
      // As above.
    }
  });
}

for (const form of document.forms) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
    history.replaceState({ claim: field.value }, "");
  });
}

// Going back from a result restores the claim, which the browser drops because pages are not stored (no-store).
if (history.state?.claim && !field.value) field.value = history.state.claim;

// While the corpus is missing, reload once it is there, but never over a half-written claim.
const missing = document.getElementById("problem-of-corpus");

async function look() {
  try {
    if ((await fetch(missing.dataset.ready, { cache: "no-store" })).ok) {
      missing.hidden = true;
      if (!field.value) location.reload();
      return;
    }
  } catch {
    // The server cannot be reached: ask again.
  }
  setTimeout(look, 3000);
}

if (missing) setTimeout(look, 3000);

// The back button may show this page as it was left.
window.addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
  refuse();
});
