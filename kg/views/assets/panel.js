// The panel: what is known of a node or a paper, and the sentences that say so. All text is set as text.

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") made.addEventListener("click", value);
    else if (value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

// Only an http or https address becomes a link; anything else is shown as the text it is.
function outward(address, text) {
  let parsed = null;
  try { parsed = new URL(address); } catch { parsed = null; }
  if (!parsed || !["http:", "https:"].includes(parsed.protocol)) return element("span", {}, text);
  return element("a", { href: parsed.href, target: "_blank", rel: "noopener noreferrer" }, text);
}

function showCard() {
  const card = $("card");
  card.replaceChildren();
  const open = state.node !== null || state.paper !== null || state.edge !== null;
  $("panel").hidden = !open;
  if (!open) return;
  $("panel").scrollTop = 0;
  const paper = state.paper ?? (state.node === null ? null : NODES[state.node].paper ?? null);
  const parts = state.edge !== null ? edgeCard(EDGES[state.edge]) : paper !== null ? paperCard(paper) : nodeCard(NODES[state.node]);
  card.append(...parts.filter(Boolean));
  card.className = "";
  void card.offsetWidth;
  card.className = "sheet-in";
}

function edgeCard(edge) {
  const end = (id) => element("div", { class: "row" }, shapeIcon(NODES[id].group), element("button", { class: "to", type: "button", onclick: () => open(id) }, NODES[id].label));
  const value = reported(edge);
  return [
    element("p", { class: "kind" }, lineIcon(edge.type), "Relation"),
    element("div", { class: "ends" }, end(edge.from), element("p", { class: "muted" }, STYLES.relations[edge.type].words), end(edge.to)),
    value ? element("p", {}, element("b", {}, value)) : null,
    element("p", { class: "note" }, `${plural(edge.support, "paper")}, confidence ${edge.confidence.toFixed(2)}`),
    heading("Evidence", edge.support), ...evidenceOf(edge),
  ];
}

function reported(edge) {
  return edge.value ? `${edge.value}${edge.metric ? ` ${edge.metric}` : ""}${edge.baseline ? ` (against ${edge.baseline})` : ""}` : null;
}

function kindLine(type, text) {
  return element("p", { class: "kind" }, shapeIcon(type), text);
}

function nodeCard(node) {
  const relations = at[node.id].filter((edge) => ENTITY.has(NODES[edge.from].group) && ENTITY.has(NODES[edge.to].group));
  const introduced = (node.papers || []).filter(([, own]) => own);
  return [
    kindLine(node.group, node.group),
    element("h2", {}, node.label),
    node.aliases ? element("p", { class: "also" }, `Also written ${node.aliases.slice(0, 12).join(", ")}${node.aliases.length > 12 ? ` and ${node.aliases.length - 12} more ways` : ""}`) : null,
    node.url !== undefined ? element("p", { class: "also" }, outward(node.url, node.label)) : null,
    element("div", { class: "facts" }, fact(node.count || 0, node.count === 1 ? "paper" : "papers"), fact(relations.length, relations.length === 1 ? "relation here" : "relations here"), introduced.length ? fact(introduced.length, introduced.length === 1 ? "introduces it" : "introduce it") : null),
    actions(node),
    ...introducers(introduced),
    ...relationGroups(node, relations),
    node.beyond ? element("p", { class: "note" }, `${plural(node.beyond, "more relation")} to nodes that this file leaves out.`) : null,
    ...paperList(node),
  ];
}

function fact(number, words) {
  return element("span", {}, element("b", {}, number.toLocaleString("en")), words);
}

function actions(node) {
  const alone = state.near === node.id;
  return element("div", { class: "actions" },
    element("button", { class: "quiet", type: "button", onclick: () => go({ near: alone ? null : node.id }) }, alone ? "Show everything" : "Only its surroundings"),
    element("button", { class: "quiet", type: "button", onclick: () => flyTo(node.id) }, "Find in picture"));
}

function introducers(introduced) {
  if (!introduced.length) return [];
  return [heading("Introduced by", introduced.length), element("ul", {}, ...introduced.map(([paper, , evidence]) =>
    element("li", {}, ...(evidence.length ? evidence.map(quote) : [source(paper)]))))];
}

function heading(text, count) {
  return element("h3", {}, element("span", {}, text), count === undefined ? null : element("span", { class: "count" }, String(count)));
}

function relationGroups(node, relations) {
  const groups = new Map();
  for (const edge of relations) {
    const look = STYLES.relations[edge.type];
    const words = edge.from === node.id ? look.words : look.inverse;
    if (!groups.has(words)) groups.set(words, { relation: edge.type, edges: [] });
    groups.get(words).edges.push(edge);
  }
  const parts = [];
  const order = Object.keys(STYLES.relations);
  const sorted = [...groups].sort((a, b) => order.indexOf(a[1].relation) - order.indexOf(b[1].relation));
  for (const [words, { edges }] of sorted) {
    edges.sort((a, b) => b.support - a.support || b.confidence - a.confidence || a.id - b.id);
    parts.push(heading(words[0].toUpperCase() + words.slice(1), edges.length));
    parts.push(longList(edges, "relations", (edge) => relationItem(node, edge)));
  }
  return parts;
}

// A hub has hundreds of relations: the first ones at once, the rest when asked for.
function longList(items, name, make) {
  const list = element("ul", { class: name }, ...items.slice(0, 12).map(make));
  if (items.length > 12) {
    const more = element("button", { class: "quiet", type: "button" }, `Show ${items.length - 12} more`);
    more.addEventListener("click", () => { list.append(...items.slice(12).map(make)); more.remove(); });
    return element("div", {}, list, more);
  }
  return list;
}

function relationItem(node, edge) {
  const other = NODES[edge.from === node.id ? edge.to : edge.from];
  const numbers = `${plural(edge.support, "paper")}, confidence ${edge.confidence.toFixed(2)}`;
  const value = reported(edge);
  const why = element("details", { class: "why" }, element("summary", {}, numbers));
  why.addEventListener("toggle", () => {
    if (why.open && why.childElementCount === 1) why.append(...evidenceOf(edge));
  });
  return element("li", { class: "relation" }, element("div", { class: "row" }, shapeIcon(other.group),
    element("div", {}, element("button", { class: "to", type: "button", onclick: () => open(other.id) }, other.label),
      value ? element("div", {}, element("b", {}, value)) : null, element("div", {}, why))));
}

function evidenceOf(edge) {
  const parts = edge.evidence.map(quote);
  const rest = edge.support - new Set(edge.evidence.map((row) => row[0])).size;
  if (rest > 0) parts.push(element("p", { class: "note" }, `${plural(rest, "more paper")} state${rest === 1 ? "s" : ""} this.`));
  return parts;
}

function quote([paper, sentence, head, tail, score]) {
  return element("figure", { class: "evidence" },
    element("blockquote", {}, ...marked(DATA.sentences[sentence], head, tail)),
    element("figcaption", {}, source(paper), score < 1 ? element("div", {}, `Score ${score.toFixed(2)}`) : null));
}

function marked(text, head, tail) {
  const spans = [[...head, "head"], [...tail, "tail"]].filter((span) => span.length === 3).sort((a, b) => a[0] - b[0]);
  const parts = [];
  let done = 0;
  for (const [start, end, name] of spans) {
    parts.push(text.slice(done, start), element("mark", { class: name }, text.slice(start, end)));
    done = end;
  }
  parts.push(text.slice(done));
  return parts;
}

function source(number) {
  const paper = PAPERS[number];
  const when = [paper.venue, paper.year].filter(Boolean).join(" ");
  return element("button", { class: "source", type: "button", onclick: () => openPaper(number) }, when ? `${paper.name} (${when})` : paper.name);
}

function paperList(node) {
  const others = (node.papers || []).filter(([, own]) => !own);
  if (!others.length) return [];
  const rest = node.count - node.papers.length;
  return [heading("Mentioned by", node.count - (node.papers.length - others.length)), longList(others, "papers", ([paper]) => element("li", {}, source(paper))),
    rest > 0 ? element("p", { class: "note" }, `and ${plural(rest, "more paper")}.`) : null];
}

function paperCard(number) {
  const paper = PAPERS[number];
  const authors = paper.authors || [];
  const own = (paper.entities || []).filter(([, introduces]) => introduces), rest = (paper.entities || []).filter(([, introduces]) => !introduces);
  return [
    kindLine("Paper", ["Paper", paper.venue, paper.year].filter(Boolean).join(" · ")),
    element("h2", {}, paper.name),
    authors.length ? element("p", { class: "also" }, authors.length > 12 ? `${authors.slice(0, 12).join(", ")} and ${authors.length - 12} more` : authors.join(", ")) : null,
    paper.links.length ? heading("Links") : null,
    paper.links.length ? element("ul", { class: "papers" }, ...paper.links.map(([address, text, kind]) => element("li", {}, outward(address, text), kind && !["paper", "other"].includes(kind) ? element("span", { class: "muted" }, ` ${kind}`) : null))) : null,
    ...entityList("Introduces", own), ...entityList("Mentions", rest),
  ];
}

function entityList(title, pairs) {
  if (!pairs.length) return [];
  return [heading(title, pairs.length), longList(pairs, "relations", ([id]) => element("li", { class: "relation" }, element("div", { class: "row" }, shapeIcon(NODES[id].group),
    element("button", { class: "to", type: "button", onclick: () => open(id) }, NODES[id].label))))];
}
