// Draws the charts of a run's report from the figures that the page brings. Colours are the style sheet's, so that
// light, dark and paper are settled in one place.
'use strict';
(() => {
  const figures = JSON.parse(document.getElementById('figures').textContent);
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  const three = (value) => value.toFixed(3);
  const whole = (value) => value.toLocaleString('en');
  const charts = [];

  const inked = (alpha) => (context) => colour(context.dataset.ink) + alpha;
  Object.assign(Chart.defaults, { animation: false, maintainAspectRatio: false });
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.color = () => colour('quiet');
  Object.assign(Chart.defaults.plugins.legend.labels, { usePointStyle: true, boxWidth: 8, boxHeight: 8, padding: 16 });
  Chart.defaults.plugins.tooltip.usePointStyle = true;
  Chart.defaults.elements.bar.backgroundColor = inked('');
  Chart.defaults.datasets.bar.maxBarThickness = 56;
  Chart.defaults.scale.ticks.padding = 6;
  Chart.defaults.elements.line.borderColor = inked('');
  Chart.defaults.elements.line.borderWidth = 2;
  Chart.defaults.elements.point.backgroundColor = inked('');
  Chart.defaults.elements.point.borderColor = inked('');

  const axis = (title, more = {}) => ({
    title: { display: Boolean(title), text: title },
    grid: { color: () => colour('faint'), borderColor: () => colour('rule'), drawTicks: false },
    ...more,
  });
  const share = { min: 0, max: 1 };

  // data: what Chart.js takes; say: from an item under the pointer to lines of text.
  const draw = (id, type, data, { x, y, say, ...more }) => {
    const canvas = document.getElementById(id);
    if (!canvas) return;
    for (const set of data.datasets) set.clip = false; // points on the edge are whole
    const legend = { display: data.datasets.filter((set) => set.label).length > 1,
                     labels: { filter: (item) => Boolean(item.text) } };
    const tooltip = { callbacks: { label: (item) => say(item) }, filter: (item) => Boolean(item.dataset.label) };
    const options = { scales: { x, y }, ...more, plugins: { legend, tooltip } };
    charts.push(new Chart(canvas, { type, data, options }));
  };

  const degreesFrom = (n) => (n < 2 ? String(n) : `${2 ** (n - 1)}–${2 ** n - 1}`);
  const graphs = [['left', figures.data.left], ['right', figures.data.right]];
  const buckets = Math.max(...graphs.map(([, graph]) => graph.degree.histogram_by_power_of_two.length));
  draw('degrees', 'bar', {
    labels: Array.from({ length: buckets }, (_, n) => degreesFrom(n)),
    datasets: graphs.map(([side, graph]) => ({
      label: side + ' graph', ink: side, pointStyle: 'rect',
      data: Array.from({ length: buckets }, (_, n) => graph.degree.histogram_by_power_of_two[n] ?? 0),
    })),
  }, { x: axis('edges of an entity'), y: axis('entities'),
       say: (item) => `${item.dataset.label}: ${whole(item.raw)} entities` });

  const { epochs, turns } = figures.training;
  // A turn begins anew or with other links: its line does not go on from the one before.
  const turnOf = (epoch) => turns.filter((turn) => turn.steps > 0 && turn.steps < epoch.steps).length;
  const overSteps = (key) => epochs.flatMap((epoch, n) => {
    const point = { x: epoch.steps, y: epoch[key] };
    return n > 0 && turnOf(epoch) > turnOf(epochs[n - 1]) ? [{ x: epoch.steps, y: NaN }, point] : [point];
  });
  const losses = [{ label: 'on what is trained on', ink: 'left', pointStyle: 'circle', data: overSteps('loss') }];
  if (epochs.some((epoch) => epoch.valid_loss !== 0)) {
    losses.push({ label: 'on development links', ink: 'right', pointStyle: 'triangle', borderDash: [6, 4],
                  data: overSteps('valid_loss') });
  }
  draw('loss', 'line', { datasets: losses }, {
    x: axis('steps', { type: 'linear', min: 0, ticks: { precision: 0 } }), y: axis('loss'),
    say: (item) => `step ${whole(item.raw.x)}: ${three(item.raw.y)}`,
  });

  const turnNames = turns.map((_, n) => String(n + 1));
  draw('pairs', 'bar', {
    labels: turnNames,
    datasets: [['new', 'left', 'found'], ['reviewed', 'right', 'reviewed']]
      .filter(([, , key]) => key === 'found' || turns.some((turn) => turn[key] > 0))
      .map(([label, ink, key]) => ({ label, ink, pointStyle: 'rect', data: turns.map((turn) => turn[key]) })),
  }, { x: axis('turn', { stacked: true }), y: axis('pairs', { stacked: true }),
       say: (item) => `${item.dataset.label}: ${whole(item.raw)} pairs` });

  // The last turn has no search of its own: what was decided comes from it. Where it has, that is one more point.
  const pool = figures.evaluation?.[figures.pool === 'test' ? 'closed' : 'open'];
  const searched = turns.at(-1)?.['hits@1'] !== undefined;
  draw('hits', 'line', {
    labels: searched ? [...turnNames, 'end'] : turnNames,
    datasets: [
      { label: 'Hits@1', ink: 'left', pointStyle: 'circle', spanGaps: true,
        data: [...turns.map((turn) => turn['hits@1']).slice(0, searched ? undefined : -1), pool?.['hits@1'] ?? NaN] },
      { label: 'precision of the pairs found', ink: 'right', pointStyle: 'triangle', borderDash: [6, 4], spanGaps: true,
        data: turns.map((turn) => turn.precision ?? NaN) },
    ],
  }, { x: axis('turn'), y: axis('', { max: 1 }), say: (item) => `${item.dataset.label}: ${three(item.raw)}` });

  draw('coverage', 'line', {
    datasets: [{ label: 'precision', ink: 'left', pointRadius: 2, pointHitRadius: 8,
                 data: (figures.decisions.precision_by_coverage ?? []).map((point) => (
                   { x: point.share, y: point.precision, least: point.least_confidence })) }],
  }, {
    x: axis('share of the links that is kept, the surest first', { type: 'linear', ...share }),
    y: axis('precision', { max: 1 }),
    say: ({ raw }) => [`the surest ${(100 * raw.x).toFixed(0)}%: precision ${three(raw.y)}`,
                       `confidence from ${three(raw.least)} on`],
  });

  const bins = (figures.decisions.reliability?.bins ?? []).filter((bin) => bin.count > 0);
  const most = Math.max(1, ...bins.map((bin) => bin.count));
  draw('reliability', 'scatter', {
    datasets: [
      { label: 'links', ink: 'left', data: bins.map((bin) => ({ x: bin.confidence, y: bin.right, count: bin.count })),
        pointRadius: bins.map((bin) => 4 + 8 * Math.sqrt(bin.count / most)) },
      { ink: 'quiet', showLine: true, pointRadius: 0, pointHitRadius: 0, borderWidth: 1, borderDash: [4, 4],
        data: [{ x: 0, y: 0 }, { x: 1, y: 1 }] },
    ],
  }, {
    x: axis('confidence', share), y: axis('share that is right', share),
    say: ({ raw }) => `confidence ${three(raw.x)}: ${three(raw.y)} of ${whole(raw.count)} right`,
  });

  const byDegree = [['closed', 'left'], ['open', 'right']].filter(([name]) => figures.evaluation?.[name]?.by_degree);
  const groups = byDegree.length > 0 ? figures.evaluation[byDegree[0][0]].by_degree : [];
  draw('by-degree', 'bar', {
    labels: groups.map((group, n) => (n + 1 < groups.length ? `${group.least}–${groups[n + 1].least - 1}`
                                                            : `${group.least} or more`)),
    datasets: byDegree.map(([name, ink]) => ({
      label: name, ink, pointStyle: 'rect', counts: figures.evaluation[name].by_degree.map((group) => group.count),
      data: figures.evaluation[name].by_degree.map((group) => (group.count > 0 ? group['hits@1'] : null)),
    })),
  }, {
    x: axis('edges of the right entity'), y: axis('Hits@1', share),
    say: ({ dataset, dataIndex: n, raw }) => `${dataset.label}: ${three(raw)} of ${whole(dataset.counts[n])} entities`,
  });

  draw('confidences', 'bar', {
    labels: figures.confidences.map((_, n) => (n / figures.confidences.length).toFixed(2)),
    datasets: [{ label: 'links', ink: 'left', data: figures.confidences, categoryPercentage: 1, barPercentage: 0.92 }],
  }, { x: axis('confidence, from', { ticks: { maxRotation: 0 } }), y: axis('links', { ticks: { precision: 0 } }),
       say: (item) => `${whole(item.raw)} links` });

  const points = (side) => figures.map.map((pair) => ({ x: pair[side].x, y: pair[side].y, pair }));
  const bare = { ticks: { display: false },
                 grid: { color: 'transparent', borderColor: () => colour('rule'), drawTicks: false } };
  draw('map', 'scatter', {
    datasets: [
      { label: 'left graph', ink: 'left', pointStyle: 'circle', pointRadius: 3.5, pointHitRadius: 5,
        data: points('left') },
      { label: 'right graph', ink: 'right', pointStyle: 'triangle', pointRadius: 4, pointHitRadius: 5,
        data: points('right') },
      { ink: 'quiet', showLine: true, pointRadius: 0, pointHitRadius: 0, borderWidth: 1, borderColor: inked('80'),
        data: figures.map.flatMap((pair) => [pair.left, pair.right, { x: NaN, y: NaN }]) },
    ],
  }, {
    x: axis('', bare), y: axis('', bare), interaction: { mode: 'nearest', intersect: true },
    say: ({ raw: { pair } }) => [`left: ${pair.left.name}`, `right: ${pair.right.name}`,
                                 `confidence ${three(pair.confidence)}`],
  });

  const redraw = () => charts.forEach((chart) => chart.update('none'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  for (const [event, printing] of [['beforeprint', true], ['afterprint', false]]) {
    addEventListener(event, () => {
      document.documentElement.classList.toggle('printing', printing);
      redraw();
    });
  }
})();
