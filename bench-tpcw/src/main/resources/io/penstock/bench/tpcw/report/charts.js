// Draws the first columns of each table as charts: bars, or a line for each series. The tables have all figures, so a
// reader without scripts misses none. Colors follow the reader's scheme; paper is always light.
(() => {
  const COLORS = ['#2f7ed8', '#d9822b', '#2e9e6b', '#b8469b', '#8c6d1f', '#7a6ff0'];
  const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 5], [14, 4]];
  const PAPER = { text: '#1b1f24', faint: '#d5dae0' };
  const HEIGHT = 260;
  const LETTER_WIDTH = 8;
  const drawn = [];

  const scheme = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  const figure = (text) => (text === '' || Number.isNaN(Number(text)) ? null : Number(text));
  const words = (value) => (value === null || value === undefined ? '–' : String(Number(value.toPrecision(3))));

  // The headings of a column of a table and of its labels, the labels, and the values of each series.
  const read = (table, column) => {
    const series = new Map();
    const labels = [];
    for (const row of table.tBodies[0].rows) {
      const names = [...row.querySelectorAll('th')].map((cell) => cell.textContent);
      const label = names.at(-1);
      const name = names.length > 1 ? names[0] : '';
      if (!labels.includes(label)) labels.push(label);
      if (!series.has(name)) series.set(name, new Map());
      series.get(name).set(label, figure(row.querySelectorAll('td')[column].textContent));
    }
    const first = table.tBodies[0].rows[0].querySelectorAll('th').length;
    const headings = table.tHead.rows[0].cells;
    return { heading: headings[first + column].textContent, axis: headings[first - 1].textContent, labels, series };
  };

  const options = ({ heading, axis: of, labels, series }, width, { text, faint }) => {
    const bars = series.size === 1 && series.has('');
    const crowded = Math.max(...labels.map((label) => label.length)) * LETTER_WIDTH * labels.length > width - 80;
    const axis = { stroke: text, ticks: { stroke: faint }, font: '12px system-ui, sans-serif' };
    const lines = [...series.keys()].map((name, i) => ({
      label: bars ? heading : name,
      stroke: COLORS[i % COLORS.length],
      fill: bars ? COLORS[0] : undefined,
      width: bars ? 0 : 2,
      dash: bars ? undefined : DASHES[i % DASHES.length],
      paths: bars ? uPlot.paths.bars({ size: [0.6, 80] }) : undefined,
      points: { show: !bars, size: 6, fill: COLORS[i % COLORS.length] },
      spanGaps: true,
      value: (chart, value) => words(value),
    }));
    return {
      width,
      height: HEIGHT,
      title: heading,
      cursor: { drag: { x: false, y: false } },
      legend: { show: !bars },
      scales: {
        x: { time: false, range: () => [-0.5, labels.length - 0.5] },
        y: { range: (chart, least, most) => [0, most > 0 ? most * 1.05 : 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          splits: () => labels.map((label, i) => i),
          values: () => labels,
          rotate: crowded ? 35 : 0,
          size: crowded ? 80 : 36,
        },
        { ...axis, grid: { stroke: faint, width: 1 }, size: 76, values: (chart, splits) => splits.map(words) },
      ],
      series: [{ label: of, value: (chart, value) => (value === null ? '–' : labels[value]) }, ...lines],
    };
  };

  const draw = (paper) => {
    const colors = paper ? PAPER : { text: scheme('text'), faint: scheme('faint') };
    for (const one of drawn) {
      if (one.chart) one.chart.destroy();
      const data = [
        one.read.labels.map((label, i) => i),
        ...[...one.read.series.values()].map((line) => one.read.labels.map((label) => line.get(label) ?? null)),
      ];
      one.chart = new uPlot(options(one.read, one.place.clientWidth, colors), data, one.place);
    }
  };

  for (const place of document.querySelectorAll('.chart')) {
    drawn.push({ place, read: read(document.getElementById(place.dataset.table), Number(place.dataset.column)) });
  }
  draw(false);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => draw(false));
  addEventListener('resize', () => draw(false));
  addEventListener('beforeprint', () => draw(true));
  addEventListener('afterprint', () => draw(false));
})();
