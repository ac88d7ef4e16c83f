'use strict';
// The page of a review. Everything that comes from the graphs is shown by textContent, so that no name is ever markup.

const $ = (id) => document.getElementById(id);
const state = { item: null, order: 'useful', sort: 'confidence', offset: 0, total: 0, busy: false, openLinks: 0 };
const PAGE = 50;

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function fill(parent, ...children) {
  parent.replaceChildren(...children);
}

function percent(share, digits = 1) {
  return (100 * share).toFixed(digits) + '%';
}

function fail(message) {
  $('error').textContent = message;
  $('error').hidden = false;
}

// Asks the server; what it refuses is shown and thrown.
async function ask(path, body) {
  let answer, record;
  try {
    answer = await fetch(path, body === undefined ? {} : {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    record = await answer.json();
  } catch (error) {
    fail('The server does not answer: nothing was saved. Is dovetail review still running?');
    throw error;
  }
  if (!answer.ok) {
    fail(answer.status === 507 ? `Not saved: ${record.error}` : record.error);
    throw new Error(record.error);
  }
  $('error').hidden = true;
  if (record.counts) showCounts(record.counts);
  return record;
}

function showCounts(counts) {
  const verdicts = counts.verdicts;
  $('status').textContent = `${counts.judged} judged: ${verdicts.same} same, ${verdicts.different} different, ` +
    `${verdicts.unsure} unsure, ${verdicts.none} without counterpart. ${counts.links} links, ` +
    `${counts.unmatched} entities without link.`;
  $('to-learn').textContent = counts.new_judgements === 0 ? 'Every decision has been learned from.'
    : `${counts.new_judgements} decisions have not been learned from yet.`;
}

// ---- The queue

function showEntity(parent, entity, values) {
  if (!entity) {
    fill(parent, element('p', 'no candidate', 'quiet'));
    return;
  }
  const name = element('div', entity.name, 'name');
  name.dir = 'auto';
  const list = element('ul', undefined, 'values');
  for (const value of values) {
    const line = element('li');
    const mark = { same: '✓ ', other: '≠ ', alone: '' }[value.match];
    const text = element('span', mark + value.value, 'match-' + value.match);
    text.dir = 'auto';
    line.append(element('b', value.property + ': '), text);
    list.append(line);
  }
  fill(parent, name, element('div', entity.iri, 'iri'),
    element('div', `${entity.degree} edge${entity.degree === 1 ? '' : 's'}`, 'quiet'), list);
}

function showCandidates(item) {
  const fromLeft = item.linked || item.side === 'left';
  const current = fromLeft ? item.right : item.left;
  fill($('candidates'), ...item.candidates.map((candidate, n) => {
    const line = element('li');
    const button = element('button');
    const score = candidate.score === undefined ? '' : `  ${candidate.score.toFixed(3)}`;
    button.append(element('kbd', String(n + 1)), ' ', element('b', candidate.name), element('span', score, 'quiet'),
      element('div', candidate.iri, 'iri'));
    if (candidate.taken) button.append(element('div', `linked to ${candidate.taken.name}`, 'quiet'));
    if (current && candidate.id === current.id) button.classList.add('current');
    button.addEventListener('click', () => decide('choose', n));
    line.append(button);
    return line;
  }));
}

function svg(name, attributes, text) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

const shortName = (text, most = 20) => [...text].length > most ? [...text].slice(0, most - 1).join('') + '…' : text;

// Both neighbourhoods: what corresponds is joined.
function drawPicture(item) {
  const around = item.neighbours;
  if (!item.left || !item.right) return fill($('picture'));
  const both = around.both.slice(0, 6), left = around.left.slice(0, 3), right = around.right.slice(0, 3);
  const rows = Math.max(1, both.length + Math.max(left.length, right.length));
  const height = 26 * rows + 10;
  const root = svg('svg', { viewBox: `0 0 520 ${height}`, role: 'img',
    'aria-label': `${around.both.length} neighbours correspond, ${around.left.length} of the left and ` +
      `${around.right.length} of the right entity do not` });
  const middle = height / 2;
  const line = (x1, y1, x2, y2, colour, dashed) => root.append(svg('line', { x1, y1, x2, y2, stroke: colour,
    'stroke-width': 1.5, 'stroke-dasharray': dashed ? '4 3' : 'none' }));
  const node = (x, y, colour, name, anchor) => {
    root.append(svg('circle', { cx: x, cy: y, r: 5, fill: colour }));
    root.append(svg('text', { x: anchor === 'end' ? x - 9 : x + 9, y: y + 4, 'font-size': 12, 'text-anchor': anchor,
      fill: 'currentColor' }, shortName(name)));
  };
  both.forEach((pair, n) => {
    const y = 18 + 26 * n;
    line(14, middle, 190, y, 'var(--left)');
    line(506, middle, 330, y, 'var(--right)');
    line(190, y, 330, y, 'var(--good)');
    node(190, y, 'var(--left)', pair.left.name, 'end');
    node(330, y, 'var(--right)', pair.right.name, 'start');
  });
  [[left, 14, 190, 'var(--left)', 'end'], [right, 506, 330, 'var(--right)', 'start']].forEach(([list, from, to, colour, anchor]) =>
    list.forEach((one, n) => {
      const y = 18 + 26 * (both.length + n);
      line(from, middle, to, y, colour, true);
      node(to, y, colour, (one.counterpart ? '✗ ' : '') + one.name, anchor);
    }));
  root.append(svg('circle', { cx: 14, cy: middle, r: 8, fill: 'var(--left)' }),
    svg('circle', { cx: 506, cy: middle, r: 8, fill: 'var(--right)' }));
  fill($('picture'), root);
}

function showNeighbours(item) {
  const around = item.neighbours;
  const list = (title, lines) => {
    if (lines.length === 0) return [];
    const made = element('ul');
    for (const text of lines) {
      const line = element('li', text);
      line.dir = 'auto';
      made.append(line);
    }
    return [element('h3', title), made];
  };
  fill($('neighbours'),
    ...list('Linked with each other', around.both.map((pair) =>
      `${pair.left.relation}: ${pair.left.name} = ${pair.right.relation}: ${pair.right.name}`)),
    ...list('Of the left one only', around.left.map((one) => `${one.counterpart ? '✗ ' : ''}${one.relation}: ${one.name}` +
      (one.counterpart ? ` (linked to ${one.counterpart.name})` : ''))),
    ...list('Of the right one only', around.right.map((one) => `${one.counterpart ? '✗ ' : ''}${one.relation}: ${one.name}` +
      (one.counterpart ? ` (linked to ${one.counterpart.name})` : ''))));
}

function showReasons(item) {
  if (!item.for) return fill($('reasons'), element('p', item.verdict || !$('blind').checked ? '' : 'shown after the decision', 'quiet'));
  const list = (title, reasons, className) => {
    const made = element('ul');
    for (const reason of reasons) {
      const text = `${reason.left.property}: ${reason.left.value} | ${reason.right.property}: ${reason.right.value}`;
      const line = element('li', text);
      line.dir = 'auto';
      line.append(element('span', `  ${reason.signal} ${reason.weight.toFixed(2)}`, 'quiet'));
      made.append(line);
    }
    if (reasons.length === 0) made.append(element('li', 'nothing', 'quiet'));
    return [element('h3', title, className), made];
  };
  fill($('reasons'), ...list('For it', item.for), ...list('Against it', item.against));
}

function thought(item, verdict) {
  if (item.confidence === undefined) return 'The program’s confidence is shown after the decision.';
  const said = item.linked ? `The program links the two with confidence ${item.confidence.toFixed(3)}.`
    : `The program links the ${item.side} entity to nothing; a counterpart has the probability ${item.confidence.toFixed(3)}.`;
  return verdict ? `${said} Decided: ${verdict}.` : said;
}

function showItem(item) {
  state.item = item.item === null ? null : item;
  $('item').hidden = state.item === null;
  $('done').hidden = state.item !== null;
  if (!state.item) return;
  $('question').textContent = item.linked ? 'Are these two the same?' : `Is this the counterpart of the ${item.side} entity?`;
  showEntity($('left'), item.left, item.values.left);
  showEntity($('right'), item.right, item.values.right);
  showCandidates(item);
  drawPicture(item);
  showNeighbours(item);
  showReasons(item);
  $('thought').textContent = thought(item, item.verdict);
}

function queueQuery(after) {
  const [least, most] = $('band').value.split('-');
  const query = new URLSearchParams({ order: $('order').value, least, most, blind: $('blind').checked ? '1' : '0' });
  if (after !== undefined) query.set('after', after);
  return '/api/next?' + query;
}

async function next(after) {
  showItem(await ask(queueQuery(after)));
}

async function decide(verdict, choice) {
  if (!state.item || state.busy) return;
  state.busy = true;
  const number = state.item.item;
  try {
    const saved = await ask('/api/judge', { item: number, verdict, choice, order: $('order').value });
    const said = verdict === 'choose' ? `candidate ${choice + 1}` : verdict;
    const confidence = saved.confidence.toFixed(3);
    await next(number);
    $('thought').textContent = `Saved: ${said}; the program’s confidence was ${confidence}. ${state.item ? thought(state.item) : ''}`;
  } finally {
    state.busy = false;
  }
}

async function undo() {
  if (state.busy) return;
  const undone = await ask('/api/undo', {});
  showItem(await ask(`/api/item?item=${undone.item}&blind=${$('blind').checked ? '1' : '0'}`));
}

// ---- The table

function tableQuery() {
  return { text: $('text').value, kind: $('kind').value, verdict_is: $('verdict-is').value, relation: $('relation').value,
    least: Number($('least').value), most: Number($('most').value), sort: state.sort, offset: state.offset, limit: PAGE };
}

function cell(entity) {
  const made = element('td');
  if (!entity) return made;
  const name = element('div', entity.name, 'clip');
  name.dir = 'auto';
  made.append(name, element('div', entity.iri, 'iri clip'));
  return made;
}

function tableRow(row) {
  const made = element('tr');
  const decideCell = element('td', undefined, 'decide');
  for (const [verdict, sign] of [['same', '='], ['different', '≠'], ['unsure', '?']]) {
    const button = element('button', sign);
    button.title = verdict;
    button.setAttribute('aria-label', `${verdict}: ${row.left ? row.left.name : ''}, ${row.right ? row.right.name : ''}`);
    button.disabled = !row.left || !row.right;
    button.addEventListener('click', async () => {
      await ask('/api/judge', { item: row.item, verdict, order: 'table' });
      await showTable();
    });
    decideCell.append(button, ' ');
  }
  const look = element('button', 'look');
  look.addEventListener('click', async () => {
    showTab('queue');
    showItem(await ask(`/api/item?item=${row.item}&blind=0`));
  });
  decideCell.append(look);
  made.append(cell(row.left), cell(row.right), element('td', row.linked ? row.confidence.toFixed(3) : `(${row.confidence.toFixed(3)})`, 'number'),
    element('td', row.verdict || (row.linked ? '' : 'no link')), decideCell);
  return made;
}

async function showTable() {
  const query = tableQuery();
  const answer = await ask('/api/table', query);
  state.total = answer.total;
  state.openLinks = answer.open_links;
  fill($('rows'), ...answer.rows.map(tableRow));
  $('total').textContent = `${answer.total.toLocaleString('en')} rows, ${answer.open_links.toLocaleString('en')} links among them not judged`;
  $('page').textContent = answer.total === 0 ? 'no rows' : `${answer.offset + 1} to ${answer.offset + answer.rows.length}`;
  $('page-back').disabled = answer.offset === 0;
  $('page-on').disabled = answer.offset + answer.rows.length >= answer.total;
  $('all-same').disabled = $('all-different').disabled = answer.open_links === 0;
  for (const button of document.querySelectorAll('[data-sort]')) {
    const by = button.dataset.sort, column = button.closest('th');
    const down = by === 'confidence' ? state.sort === by : state.sort === '-' + by;
    const up = by === 'confidence' ? state.sort === '-' + by : state.sort === by;
    column.setAttribute('aria-sort', down ? 'descending' : up ? 'ascending' : 'none');
  }
}

async function decideAll(verdict) {
  const count = state.openLinks;
  if (!confirm(`Decide that ${count} links are ${verdict === 'same' ? 'right' : 'wrong'}?`)) return;
  await ask('/api/judge-all', { ...tableQuery(), verdict, count });
  await showTable();
}

// ---- How good is it?

function intervalText(part) {
  return part.answers === 0 ? 'no answers yet' : `${percent(part.low)} to ${percent(part.high)}`;
}

async function showQuality() {
  const threshold = Number($('threshold').value);
  const answer = await ask(`/api/quality?threshold=${threshold}`);
  const all = answer.all, at = answer.at;
  $('precision').textContent = all.answers === 0
    ? 'Answer some questions in random order: from these the precision of all links is estimated.'
    : `${percent(all.share)} of ${answer.links.toLocaleString('en')} links are right (95% interval: ${intervalText(all)}, from ${all.answers} answers).`;
  $('more').textContent = all.answers === 0 ? '' : `About ${all.more_answers} more answers would halve the interval.`;
  $('threshold-shown').textContent = threshold.toFixed(2);
  $('kept').textContent = `${at.links.toLocaleString('en')} links are kept` + (at.answers === 0 ? '; no answers are among them.'
    : `: about ${Math.round(at.expected_right).toLocaleString('en')} right ones, precision ${percent(at.share)} (${intervalText(at)}).`);
  fill($('bands'), ...answer.bands.map((band) => {
    const row = element('tr');
    row.append(element('th', `${band.least} to ${band.below > 1 ? 1 : 'below ' + band.below}`));
    for (const text of [band.links, band.answers, band.right, band.answers === 0 ? '' : percent(band.share), intervalText(band)]) {
      row.append(element('td', String(text), 'number'));
    }
    return row;
  }));
}

// ---- Learning and export

function changeList(title, links) {
  if (links.length === 0) return [];
  const list = element('ul');
  for (const link of links) {
    const before = link.before === undefined ? '' : `${link.before.toFixed(3)} → `;
    const line = element('li', `${link.left.name} = ${link.right.name}  ${before}${link.confidence.toFixed(3)}`);
    line.dir = 'auto';
    list.append(line);
  }
  const details = element('details');
  details.append(element('summary', title), list);
  return [details];
}

function showChanges(changes) {
  if (!changes) return;
  if (changes.error) return fail(`Learning failed: ${changes.error}`);
  fill($('changes'), element('p', `${changes.gained} links gained, ${changes.lost} lost, ${changes.changed} with another confidence.`, 'large'),
    ...changeList('Gained', changes.gained_links), ...changeList('Lost', changes.lost_links),
    ...changeList('Other confidence', changes.changed_links));
}

async function follow() {
  const answer = await ask('/api/learning');
  $('progress').hidden = !answer.learning;
  $('start-learning').disabled = answer.learning;
  $('save').disabled = answer.learning || !answer.changes || Boolean(answer.changes.error);
  if (answer.learning) {
    $('progress').value = answer.progress.share;
    $('task').textContent = answer.progress.task;
    setTimeout(follow, 300);
    return;
  }
  $('task').textContent = answer.changes ? 'done' : '';
  showChanges(answer.changes);
}

function renewDownload() {
  const query = new URLSearchParams({ format: $('format').value, what: $('what').value,
    least: $('what').value === 'above' ? $('export-least').value : '0' });
  $('download').href = '/api/export?' + query;
}

// ---- Views and keys

const shows = { queue: () => state.item ? null : next(), table: showTable, quality: showQuality, learn: follow };

function showTab(name) {
  for (const tab of document.querySelectorAll('[role=tab]')) {
    const chosen = tab.id === 'tab-' + name;
    tab.setAttribute('aria-selected', String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    $(tab.getAttribute('aria-controls')).hidden = !chosen;
  }
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $('queue').hidden) return;
  if (event.target.matches('input:not([type=checkbox]), select, textarea')) return;
  const key = event.key.toLowerCase();
  const verdict = { s: 'same', d: 'different', u: 'unsure', x: 'none' }[key];
  if (verdict) decide(verdict);
  else if (key >= '1' && key <= '9' && state.item && Number(key) <= state.item.candidates.length) decide('choose', Number(key) - 1);
  else if (key === 'n' && state.item) next(state.item.item);
  else if (key === 'z') undo();
  else if (key === 'b') $('blind').click();
  else return;
  event.preventDefault();
}

function onTabKey(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...document.querySelectorAll('[role=tab]')];
  const tab = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
  tab.focus();
  tab.click();
}

async function start() {
  const about = await ask('/api/state');
  $('run').textContent = about.run;
  document.title = `Review of ${about.run}`;
  for (const relation of [...new Set(about.relations)].sort()) $('relation').append(element('option', relation));
  for (const tab of document.querySelectorAll('[role=tab]')) {
    tab.addEventListener('click', () => {
      const name = tab.getAttribute('aria-controls');
      showTab(name);
      shows[name]();
    });
    tab.addEventListener('keydown', onTabKey);
  }
  document.addEventListener('keydown', onKey);
  for (const button of document.querySelectorAll('[data-verdict]')) button.addEventListener('click', () => decide(button.dataset.verdict));
  $('skip').addEventListener('click', () => next(state.item.item));
  $('undo').addEventListener('click', undo);
  for (const id of ['order', 'band', 'blind']) $(id).addEventListener('change', () => next());
  for (const form of document.querySelectorAll('form')) form.addEventListener('submit', (event) => event.preventDefault());
  let typing;
  for (const id of ['text', 'kind', 'verdict-is', 'least', 'most', 'relation']) {
    $(id).addEventListener('input', () => {
      clearTimeout(typing);
      typing = setTimeout(() => { state.offset = 0; showTable(); }, 150);
    });
  }
  for (const button of document.querySelectorAll('[data-sort]')) {
    button.addEventListener('click', () => {
      state.sort = state.sort === button.dataset.sort ? '-' + button.dataset.sort : button.dataset.sort;
      state.offset = 0;
      showTable();
    });
  }
  $('page-back').addEventListener('click', () => { state.offset = Math.max(0, state.offset - PAGE); showTable(); });
  $('page-on').addEventListener('click', () => { state.offset += PAGE; showTable(); });
  $('all-same').addEventListener('click', () => decideAll('same'));
  $('all-different').addEventListener('click', () => decideAll('different'));
  $('threshold').addEventListener('input', showQuality);
  $('start-learning').addEventListener('click', async () => { fill($('changes')); await ask('/api/learn', {}); state.item = null; follow(); });
  $('save').addEventListener('click', async () => { await ask('/api/save', {}); $('task').textContent = 'saved'; });
  for (const id of ['format', 'what', 'export-least']) $(id).addEventListener('input', renewDownload);
  await next();
}

start();
