// Search with completion over names, aliases and titles of papers.

const ENTRIES = [];
for (const node of NODES) {
  if (node.group === "Paper") continue;
  ENTRIES.push({ text: node.label, low: node.label.toLowerCase(), node: node.id });
  for (const alias of node.aliases || []) ENTRIES.push({ text: alias, low: alias.toLowerCase(), node: node.id, alias: true });
}
PAPERS.forEach((paper, i) => ENTRIES.push({ text: paper.name, low: paper.name.toLowerCase(), paper: i }));

function lookUp(words) {
  const wanted = words.trim().toLowerCase();
  if (!wanted) return [];
  const found = [];
  for (const entry of ENTRIES) {
    const spot = entry.low.indexOf(wanted);
    if (spot < 0) continue;
    const whole = spot === 0 || /[\s\-/(]/.test(entry.low[spot - 1]);
    const rank = entry.low === wanted ? 0 : spot === 0 ? 1 : whole ? 2 : 3;
    found.push([rank * 2 + (entry.paper === undefined ? 0 : 1), entry.alias ? 1 : 0, entry]);
  }
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || (a[2].node ?? a[2].paper) - (b[2].node ?? b[2].paper));
  const hits = [], met = new Set();
  for (const [, , entry] of found) {
    const key = entry.paper === undefined ? `n${entry.node}` : `p${entry.paper}`;
    if (met.has(key)) continue;
    met.add(key);
    hits.push(entry);
    if (hits.length === 9) break;
  }
  return hits;
}

let hits = [], chosen = -1;

function showHits() {
  const list = $("hits");
  hits = lookUp($("search").value);
  chosen = hits.length ? 0 : -1;
  const asked = $("search").value.trim() !== "";
  list.replaceChildren(...hits.map(hitItem));
  if (asked && !hits.length) list.append(element("li", { class: "none" }, "Nothing here bears that name."));
  list.hidden = !asked;
  $("search").setAttribute("aria-expanded", String(asked));
  markHit();
}

function hitItem(entry, i) {
  const type = entry.paper === undefined ? NODES[entry.node].group : "Paper";
  const name = entry.paper === undefined ? NODES[entry.node].label : entry.text;
  const item = element("li", { role: "option", id: `hit-${i}` }, shapeIcon(type),
    element("span", {}, name, entry.alias ? element("small", {}, entry.text) : null), element("span", { class: "what" }, type));
  item.addEventListener("pointerdown", (event) => { event.preventDefault(); takeHit(i); });
  return item;
}

function markHit() {
  [...$("hits").children].forEach((item, i) => item.setAttribute("aria-selected", String(i === chosen)));
  if (chosen >= 0) { $("search").setAttribute("aria-activedescendant", `hit-${chosen}`); $(`hit-${chosen}`).scrollIntoView({ block: "nearest" }); }
  else $("search").removeAttribute("aria-activedescendant");
}

function takeHit(i) {
  const entry = hits[i];
  if (!entry) return;
  closeHits();
  $("search").value = "";
  $("search").blur();
  $("side").classList.remove("open");
  if (entry.paper === undefined) open(entry.node); else openPaper(entry.paper);
}

function closeHits() {
  $("hits").hidden = true;
  $("search").setAttribute("aria-expanded", "false");
}

function startSearch() {
  const box = $("search");
  box.addEventListener("input", showHits);
  box.addEventListener("focus", () => { if (box.value) showHits(); });
  box.addEventListener("blur", closeHits);
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!hits.length) return;
      chosen = (chosen + (event.key === "ArrowDown" ? 1 : hits.length - 1)) % hits.length;
      markHit();
    } else if (event.key === "Enter") takeHit(chosen);
    else if (event.key === "Escape") { box.value = ""; closeHits(); box.blur(); $("stage").focus(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
