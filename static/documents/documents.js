// Says before an upload what the server would refuse, then shows the progress of upload and reading.
const form = document.querySelector("form.upload");
const list = document.getElementById("list");
const problem = document.getElementById("upload-problem");

function refuse(sentence) {
  problem.textContent = sentence;
  problem.hidden = !sentence;
}

function fault(files) {
  const most = Number(form.dataset.most);
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const types = form.files.accept.split(",");
  const odd = files.find((file) => !types.some((type) => file.name.toLowerCase().endsWith(type)));
  if (files.length > Number(form.dataset.files)) return `You can upload at most ${form.dataset.files} files at once.`;
  if (odd) return `“${odd.name}” is not one of the types ${types.join(" ")}. Save it as one of them.`;
  if (bytes > most) {
    const [size, limit] = [(bytes / 1e6).toFixed(1), most / 1e6];
    return files.length === 1
      ? `This file has ${size} MB; the limit is ${limit} MB. Split it.`
      : `These files have ${size} MB; the limit is ${limit} MB. Upload fewer at once.`;
  }
  return "";
}

function send(event) {
  const sentence = fault(Array.from(form.files.files));
  refuse(sentence);
  event.preventDefault();
  if (sentence || form.dataset.sent) return;
  form.dataset.sent = "yes";
  const sending = document.getElementById("sending");
  const [bar, word] = sending.children;
  sending.hidden = false;
  const request = new XMLHttpRequest();
  request.upload.onprogress = ({ loaded, total }) => {
    bar.value = total ? (100 * loaded) / total : 0;
    word.textContent = loaded < total ? `${Math.floor((100 * loaded) / total)}% sent` : "Sent.";
  };
  const ended = (sentence) => {
    delete form.dataset.sent;
    sending.hidden = true;
    refuse(sentence);
  };
  request.onload = () => {
    if (request.status === 202) return location.reload();
    let refusal = "The server refused these documents. Try again.";
    try {
      refusal = JSON.parse(request.responseText).detail ?? refusal;
    } catch {}
    ended(refusal);
  };
  request.onerror = () => ended("The server is not responding, or the files are too large for it. Try again.");
  request.open("POST", form.dataset.api);
  request.send(new FormData(form));
}

async function follow() {
  try {
    const response = await fetch(list.dataset.list, { cache: "no-store" });
    const { documents } = await response.json();
    for (const found of documents) {
      const status = document.querySelector(`#documents-${found.id} [role=status]`);
      if (!status) continue;
      if (found.state !== "reading") return location.reload();
      const text = `Reading: ${found.files.length} of ${found.total} files.`;
      if (status.textContent !== text) status.textContent = text;
    }
  } catch {}
  setTimeout(follow, 700);
}

form?.addEventListener("submit", send);
if (list.dataset.reading) follow();
