"use strict";
// Search over all names; every page works without it.

const ENTRIES = JSON.parse(document.getElementById("data").textContent).map(([name, type, file, aliases]) => ({ name, type, file, words: [name, ...aliases].map((word) => word.toLowerCase()) }));
const box = document.getElementById("search"), list = document.getElementById("hits");
let chosen = 0;

function matches(wanted) {
  const ranked = [];
  for (const entry of ENTRIES) {
    let best = 9;
    entry.words.forEach((word, i) => {
      const spot = word.indexOf(wanted);
      if (spot >= 0) best = Math.min(best, (word === wanted ? 0 : spot === 0 ? 2 : 4) + (i ? 1 : 0));
    });
    if (best < 9) ranked.push([best, entry]);
  }
  return ranked.sort((a, b) => a[0] - b[0]).slice(0, 12).map((pair) => pair[1]);
}

function item(entry, i) {
  const link = document.createElement("a"), kind = document.createElement("small"), row = document.createElement("li");
  link.href = entry.file;
  link.textContent = entry.name;
  kind.textContent = entry.type;
  link.append(kind);
  row.setAttribute("role", "option");
  row.setAttribute("aria-selected", String(i === chosen));
  row.append(link);
  return row;
}

function show() {
  const wanted = box.value.trim().toLowerCase();
  const found = wanted ? matches(wanted) : [];
  chosen = Math.min(chosen, Math.max(found.length - 1, 0));
  list.replaceChildren(...found.map(item));
  if (wanted && !found.length) {
    const none = document.createElement("li");
    none.className = "none";
    none.textContent = "Nothing bears that name.";
    list.append(none);
  }
  list.hidden = !wanted;
  box.setAttribute("aria-expanded", String(!list.hidden));
}

box.addEventListener("input", () => { chosen = 0; show(); });
box.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") { chosen = Math.max(0, Math.min(list.children.length - 1, chosen + (event.key === "ArrowDown" ? 1 : -1))); show(); event.preventDefault(); }
  else if (event.key === "Enter") list.children[chosen]?.querySelector("a")?.click();
  else if (event.key === "Escape") { box.value = ""; show(); }
});
