// Enter sends the claim (it is one sentence); a second click does not send it twice.
const field = document.getElementById("claim");

field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    field.form.requestSubmit();
  }
});

// One of a file and what is typed would be ignored, so the browser sends neither until one of them is gone.
const file = document.getElementById("file");
const noFile = document.getElementById("no-file");

function refuseBoth() {
  noFile.hidden = !file.files.length;
  file.setCustomValidity(field.value.trim() && file.files.length ? file.dataset.both : "");
}

field.addEventListener("input", refuseBoth);
file.addEventListener("change", refuseBoth);
file.addEventListener("invalid", () => {
  document.getElementById("options").open = true; // a browser shows no message at a field out of sight
});
noFile.addEventListener("click", () => {
  file.value = "";
  refuseBoth();
  file.focus();
});

// The way of checking and what is checked against are remembered on this machine, unless the address names others.
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
    // A browser that stores nothing remembers nothing.
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

// Back from the result brings the claim with it: a browser does not keep what a page must not be stored with.
if (history.state?.claim && !field.value) field.value = history.state.claim;

// Where the corpus is missing, this page asks for it and shows itself anew; a claim half written is left in peace.
const missing = document.getElementById("problem-of-corpus");

async function look() {
  try {
    if ((await fetch(missing.dataset.ready, { cache: "no-store" })).ok) {
      missing.hidden = true;
      if (!field.value) location.reload();
      return;
    }
  } catch {
    // The application itself is away: asked again as well.
  }
  setTimeout(look, 3000);
}

if (missing) setTimeout(look, 3000);

// The back button may bring this page back as it was left.
window.addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
  refuseBoth();
});
