/** How a page of the bench zooms. */
interface BenchWindow {
  zoomTo?: (from: number, to: number) => void;
}

interface Line {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly step: boolean;
}

// Both functions are sent to the browser as text: they use nothing from outside.

/** Eleven lines in eleven grids of one ECharts chart, each decimated to its extremes. */
export function drawWithECharts(): void {
  const { echarts, benchWindow, lines } = window as unknown as {
    echarts: {
      init(target: HTMLElement): {
        setOption(option: object): void;
        dispatchAction(action: object): void;
        getZr(): { flush(): void };
      };
    };
    benchWindow: BenchWindow;
    lines: readonly Line[];
  };
  const target = document.createElement('div');
  target.style.cssText = `width:1200px;height:${lines.length * 104}px`;
  document.body.append(target);
  const chart = echarts.init(target);
  const length = lines[0]?.values.length ?? 0;
  chart.setOption({
    animation: false,
    grid: lines.map((_, index) => ({ left: 60, right: 10, top: index * 104 + 6, height: 90 })),
    xAxis: lines.map((_, index) => ({
      type: 'value',
      min: 0,
      max: length,
      gridIndex: index,
      axisLabel: { show: index === lines.length - 1 },
    })),
    yAxis: lines.map((_, index) => ({ type: 'value', scale: true, gridIndex: index })),
    dataZoom: [{ type: 'inside', xAxisIndex: lines.map((_, index) => index), filterMode: 'none' }],
    series: lines.map(({ name, values, step }, index) => ({
      name,
      type: 'line',
      sampling: 'minmax',
      showSymbol: false,
      step: step ? 'start' : false,
      lineStyle: { width: 1 },
      xAxisIndex: index,
      yAxisIndex: index,
      data: values.map((value, at) => [at, value]),
    })),
  });
  chart.getZr().flush();
  benchWindow.zoomTo = (from, to) => {
    chart.dispatchAction({ type: 'dataZoom', startValue: from * length, endValue: to * length });
    chart.getZr().flush();
  };
}

/** Eleven Chart.js charts with its decimation by extremes. */
export function drawWithChartJs(): void {
  const { Chart, benchWindow, lines } = window as unknown as {
    Chart: new (
      canvas: HTMLCanvasElement,
      config: object,
    ) => { options: { scales: { x: { min: number; max: number } } }; update(mode: string): void };
    benchWindow: BenchWindow;
    lines: readonly Line[];
  };
  const length = lines[0]?.values.length ?? 0;
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
      options: {
        animation: false,
        parsing: false,
        normalized: true,
        maintainAspectRatio: false,
        plugins: {
          legend: { display: false },
          tooltip: { enabled: false },
          decimation: { enabled: true, algorithm: 'min-max' },
        },
        scales: { x: { type: 'linear', min: 0, max: length }, y: {} },
      },
    });
  });
  benchWindow.zoomTo = (from, to) => {
    for (const chart of charts) {
      chart.options.scales.x.min = from * length;
      chart.options.scales.x.max = to * length;
      chart.update('none');
    }
  };
}
