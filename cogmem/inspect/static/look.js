// What our pages do beyond links and forms. Without it every page works; with it they are quicker to use.
"use strict";

const one = (what, within = document) => within.querySelector(what);
const all = (what, within = document) => [...within.querySelectorAll(what)];

// Instants in the reader's own zone; hover or a screen reader tells the UTC one.
function localise(within) {
  for (const time of all("time[datetime]", within)) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime()) || time.title) continue;
    const two = (n) => String(n).padStart(2, "0");
    time.title = time.dateTime;
    time.textContent = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
  }
}

async function fetched(url, options) {
  const answer = await fetch(url, { credentials: "same-origin", ...options });
  if (!answer.ok && answer.status !== 409) throw new Error(`the server answered ${answer.status}`);
  return answer;
}

// What a page did not wait for.
async function load(place) {
  try {
    const body = await (await fetched(place.dataset.load)).text();
    const into = place.dataset.into ? one(place.dataset.into) : null;
    if (into) {
      into.insertAdjacentHTML("beforeend", body);
      place.remove();
      localise(into);
    } else {
      place.innerHTML = body;
      delete place.dataset.load;
      localise(place);
    }
    if (one("#cards")) reviewed();
  } catch (fault) {
    place.textContent = `This could not be read: ${fault.message}.`;
  }
}

// Search as one types: the newest answer wins.
function live(field) {
  const form = field.form;
  const into = one(field.dataset.live);
  let waiting = 0;
  let running = null;
  const ask = async () => {
    running?.abort();
    running = new AbortController();
    const words = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
    history.replaceState(null, "", words.size ? `?${words}` : location.pathname);
    words.set("part", "list");
    try {
      into.innerHTML = await (await fetched(`${form.action}?${words}`, { signal: running.signal })).text();
      localise(into);
      all("[data-load]", into).forEach(load);
    } catch (fault) {
      if (fault.name !== "AbortError") into.textContent = `This could not be searched: ${fault.message}.`;
    }
  };
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, 120);
  });
}

// The figures of the day follow what happens; what a person unfolded stays so.
async function today() {
  const place = one("#today");
  if (place.dataset.load) return;
  const isOpen = Boolean(one("#fading[open]"));
  place.innerHTML = await (await fetched("/-/look/today")).text();
  if (isOpen) one("#fading")?.setAttribute("open", "");
  localise(place);
}

// Light, dark, or as the system has it.
const THEMES = ["", "light", "dark"];

function wear(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  if (one("#theme")) one("#theme").textContent = `Theme: ${theme || "as the system"}`;
}

wear(localStorage.getItem("theme") ?? "");

// The stream of what happens, every two seconds while somebody looks.
function follow(stream, button) {
  let isPaused = false;
  button.hidden = false;
  button.addEventListener("click", () => {
    isPaused = !isPaused;
    button.textContent = isPaused ? "Go on" : "Pause";
    button.setAttribute("aria-pressed", String(isPaused));
  });
  setInterval(async () => {
    if (isPaused || document.hidden) return;
    const { turn, change, message } = stream.dataset;
    try {
      const body = await (await fetched(`/-/look/now/more?${new URLSearchParams({ turn, change, message })}`)).text();
      const came = new DOMParser().parseFromString(body, "text/html").querySelector("#stream");
      Object.assign(stream.dataset, { turn: came.dataset.turn, change: came.dataset.change, message: came.dataset.message });
      const rows = [...came.children];
      rows.forEach((row) => row.classList.add("fresh"));
      if (rows.length) one(".nothing", stream)?.remove();
      if (rows.length && one("#today")) today();
      stream.prepend(...rows);
      localise(stream);
      while (stream.children.length > 200) stream.lastElementChild.remove();
      button.title = "";
    } catch {
      button.title = "The server does not answer";
    }
  }, 2000);
}

// Review: a form is sent without leaving the page, and its card makes room for the next.
let taken = null; // the card decided last, with the way back

function reviewed() {
  const cards = all("#cards .card");
  one("#empty").hidden = cards.length > 0 || Boolean(one("[data-load]"));
  if (cards.length && !cards.includes(document.activeElement?.closest(".card"))) cards[0].focus({ preventScroll: true });
}

async function decide(form, card) {
  const said = one("#done");
  const body = new URLSearchParams(new FormData(form));
  try {
    const answer = await (await fetched(form.action, { method: "POST", headers: { accept: "application/json" }, body })).json();
    if (answer.error) throw new Error(answer.error);
    said.textContent = `${answer.told} `;
    if (card) {
      taken = { card, before: card.nextElementSibling, undo: answer.undo, token: body.get("token") };
      card.remove();
      if (answer.undo) {
        const back = document.createElement("button");
        back.type = "button";
        back.className = "quiet";
        back.id = "undo";
        back.innerHTML = "Undo <kbd>u</kbd>";
        back.addEventListener("click", takeBack);
        said.append(back);
      }
    }
  } catch (fault) {
    said.textContent = fault.message;
  }
  said.hidden = false;
  reviewed();
}

async function takeBack() {
  if (!taken?.undo) return;
  const { card, before, undo, token } = taken;
  taken = null;
  const form = document.createElement("form");
  form.action = "/-/look/act";
  for (const [name, value] of Object.entries({ verb: "undo", act: undo, token })) {
    const field = document.createElement("input");
    Object.assign(field, { name, value });
    form.append(field);
  }
  await decide(form, null);
  one("#cards").insertBefore(card, before?.isConnected ? before : null);
  card.focus();
}

function skip(card) {
  const next = card.nextElementSibling;
  one("#cards").append(card);
  (next ?? card).focus();
}

// Keys: / to search, j and k through a list, and on the review what each button says.
function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const field = event.target.closest("input, textarea, select");
  if (field) {
    if (event.key === "Escape") field.blur();
    if (event.key === "ArrowDown" && field.id === "q") go(1, event);
    return;
  }
  if (event.key === "/" && one("#q, #prompt")) {
    event.preventDefault();
    one("#q, #prompt").focus();
  } else if (one("#cards")) {
    const card = document.activeElement?.closest(".card") ?? one("#cards .card");
    if (event.key === "u") takeBack();
    else if (event.key === "j" || event.key === "ArrowDown") (card?.nextElementSibling ?? card)?.focus();
    else if (event.key === "ArrowUp") (card?.previousElementSibling ?? card)?.focus();
    else card && one(`[data-key="${CSS.escape(event.key)}"]`, card)?.click();
  } else if (event.key === "j" || event.key === "k") {
    go(event.key === "j" ? 1 : -1, event);
  }
}

function go(by, event) {
  const links = all(".memories li > a, .turns li > a, .sessions li > a, .stream li p > a:first-child");
  if (!links.length) return;
  event.preventDefault();
  const here = links.indexOf(document.activeElement);
  links[Math.max(0, Math.min(links.length - 1, here + by))].focus();
}

document.addEventListener("DOMContentLoaded", () => {
  localise(document);
  const button = one("#theme");
  if (button) {
    button.hidden = false;
    wear(localStorage.getItem("theme") ?? "");
    button.addEventListener("click", () => {
      const next = THEMES[(THEMES.indexOf(localStorage.getItem("theme") ?? "") + 1) % THEMES.length];
      localStorage.setItem("theme", next);
      wear(next);
    });
  }
  const zone = one(".zone");
  if (zone) zone.textContent = "Times are in your own zone.";
  all("[data-load]").forEach(load);
  all("[data-live]").forEach(live);
  if (one("#stream") && one("#pause")) follow(one("#stream"), one("#pause"));
  if (one("#cards")) reviewed();
  document.addEventListener("keydown", pressed);
  document.addEventListener("submit", (event) => {
    const card = event.target.closest(".card");
    if (!card) return;
    event.preventDefault();
    decide(event.target, card);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".skip-card");
    if (button) skip(button.closest(".card"));
  });
});
