// The script of the peers' pages: draws the trip in the page with the library that the page has, as eleven lines.
performance.mark('begin');
const { trip, rules } = JSON.parse(document.getElementById('config').textContent);
const lines = Object.entries(rules).map(([name, rule]) => {
  const values = name.split('.').reduce((at, key) => at[key], trip);
  const isNumber = rule.kind === 'number';
  return { name, step: !isNumber, values: isNumber ? values : values.map((value) => rule.values.indexOf(value)) };
});
const { length } = lines[0].values;
const { echarts, Chart } = globalThis;
globalThis.zoomTo = echarts ? drawWithECharts() : drawWithChartJs();
requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => performance.mark('lanes');
  channel.port2.postMessage(0);
});

/** Eleven grids of one ECharts chart, each line decimated to its extremes. Returns what zooms them. */
function drawWithECharts() {
  const target = document.createElement('div');
  target.style.cssText = `width:1200px;height:${lines.length * 104}px`;
  document.body.append(target);
  const chart = echarts.init(target);
  const axes = lines.map((_, index) => index);
  chart.setOption({
    animation: false,
    grid: axes.map((index) => ({ left: 60, right: 10, top: index * 104 + 6, height: 90 })),
    xAxis: axes.map((gridIndex) => {
      return { type: 'value', min: 0, max: length, gridIndex, axisLabel: { show: gridIndex === lines.length - 1 } };
    }),
    yAxis: axes.map((gridIndex) => ({ type: 'value', scale: true, gridIndex })),
    dataZoom: [{ type: 'inside', xAxisIndex: axes, filterMode: 'none' }],
    series: lines.map(({ name, values, step }, index) => {
      const data = values.map((value, at) => [at, value]);
      const look = { type: 'line', sampling: 'minmax', showSymbol: false, lineStyle: { width: 1 } };
      return { ...look, name, step: step ? 'start' : false, xAxisIndex: index, yAxisIndex: index, data };
    }),
  });
  chart.getZr().flush();
  return (from, to) => {
    chart.dispatchAction({ type: 'dataZoom', startValue: from * length, endValue: to * length });
    chart.getZr().flush();
  };
}

/** Eleven Chart.js charts with its decimation by extremes. Returns what zooms them. */
function drawWithChartJs() {
  const decimation = { enabled: true, algorithm: 'min-max' };
  const plugins = { legend: { display: false }, tooltip: { enabled: false }, decimation };
  const common = { animation: false, parsing: false, normalized: true, maintainAspectRatio: false, plugins };
  const charts = lines.map(({ name, values, step }) => {
    const box = document.createElement('div');
    box.style.cssText = 'width:1200px;height:104px;position:relative';
    const canvas = document.createElement('canvas');
    box.append(canvas);
    document.body.append(box);
    const data = values.map((y, x) => ({ x, y }));
    return new Chart(canvas, {
      type: 'line',
      data: { datasets: [{ label: name, data, borderWidth: 1, stepped: step, pointRadius: 0 }] },
      options: { ...common, scales: { x: { type: 'linear', min: 0, max: length }, y: {} } },
    });
  });
  return (from, to) => {
    for (const chart of charts) {
      Object.assign(chart.options.scales.x, { min: from * length, max: to * length });
      chart.update('none');
    }
  };
}
