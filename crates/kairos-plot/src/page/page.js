"use strict";
// Draws the panes on canvases. All panes share the interval of time; each has its own range of values,
// which follows the lines in view until the reader sets it.
const data = JSON.parse(document.getElementById("data").textContent);
const margin = { left: 84, right: 12, top: 8, bottom: 36 };
const laneHeight = 24;
const [logX, logY] = data.log;
// Axes are linear in these.
const forth = (value, log) => log ? (value > 0 ? Math.log10(value) : NaN) : value;
const back = (place, log) => log ? 10 ** place : place;
data.times = data.times.map(time => time.map(t => t === null ? null : forth(t / data.seconds, logX)));
data.marks = data.marks.map(t => forth(t / data.seconds, logX));
const whole = fullInterval();
let interval = whole.slice();
let pointer = null;
let displayed = data.display;
const readout = document.getElementById("time");
const panes = data.panes.map(makePane);
offerUnits();

// A button that changes between the units of the model and those that people read.
function offerUnits() {
  if (!data.panes.some(pane => pane.series.some(s => s.display))) return;
  const button = document.getElementById("units");
  const name = () => { button.textContent = displayed ? "Units of the model" : "Display units"; };
  button.hidden = false;
  name();
  button.addEventListener("click", () => {
    displayed = !displayed;
    name();
    for (const pane of panes) { pane.range = null; pane.lines.forEach(convert); }
    draw();
  });
}

function convert(line) {
  const { display } = line;
  const shown = displayed && display;
  line.shownUnit = shown ? display.unit : line.unit;
  line.values = line.raw.map(v => v === null ? null : forth(shown ? (v - display.offset) / display.factor : v, logY && !line.lane));
  line.values = line.values.map(v => Number.isFinite(v) ? v : null);
  line.label.textContent = line.shownUnit ? `${line.name} [${line.shownUnit}] ` : `${line.name} `;
}

function unitOf(pane) {
  const units = new Set(pane.lines.filter(line => !line.lane).map(line => line.shownUnit));
  return units.size === 1 ? [...units][0] : "";
}

function fullInterval() {
  let low = Infinity, high = -Infinity;
  for (const pane of data.panes) for (const s of pane.series) {
    const time = data.times[s.time];
    if (time.length) { low = Math.min(low, time[0]); high = Math.max(high, time[time.length - 1]); }
  }
  if (!(low < high)) return Number.isFinite(low) ? [low - 0.5, low + 0.5] : [0, 1];
  return [low, high];
}

function makePane(description) {
  const section = document.createElement("section");
  section.className = "pane";
  const legend = document.createElement("div");
  legend.className = "legend";
  const canvas = document.createElement("canvas");
  section.append(legend, canvas);
  document.getElementById("panes").append(section);
  const pane = { canvas, range: null, lines: [] };
  const lanes = description.series.filter(s => s.lane).length;
  const plain = description.series.length > lanes || lanes === 0;
  canvas.style.height = `${(plain ? 300 : 60) + laneHeight * lanes}px`;
  for (const s of description.series) {
    const button = document.createElement("button");
    const value = document.createElement("span");
    value.className = "value";
    const label = document.createElement("span");
    button.style.color = s.colour;
    button.append(label, value);
    legend.append(button);
    const line = { ...s, raw: s.values, time: data.times[s.time], hidden: false, value, label };
    convert(line);
    button.addEventListener("click", () => {
      line.hidden = !line.hidden;
      button.classList.toggle("hidden", line.hidden);
      draw();
    });
    pane.lines.push(line);
  }
  listen(pane);
  return pane;
}

function listen(pane) {
  const canvas = pane.canvas;
  let drag = null;
  const at = event => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    const factor = Math.exp(0.0015 * (event.deltaY || event.deltaX));
    const place = at(event), view = viewOf(pane);
    if (event.shiftKey) {
      const v = view.valueAt(place.y);
      pane.range = [v + (view.bottom - v) * factor, v + (view.top - v) * factor];
    } else {
      const t = view.timeAt(place.x);
      interval = [t + (interval[0] - t) * factor, t + (interval[1] - t) * factor];
    }
    draw();
  }, { passive: false });
  canvas.addEventListener("pointerdown", event => {
    drag = { from: at(event), view: viewOf(pane), vertical: event.shiftKey };
    try { canvas.setPointerCapture(event.pointerId); } catch { /* a pointer that is already gone */ }
  });
  canvas.addEventListener("pointermove", event => {
    const place = at(event);
    if (drag) {
      const { view, from } = drag;
      if (drag.vertical) {
        const shift = view.valueAt(from.y) - view.valueAt(place.y);
        pane.range = [view.bottom + shift, view.top + shift];
      } else {
        const shift = view.timeAt(from.x) - view.timeAt(place.x);
        interval = [view.left + shift, view.right + shift];
      }
    }
    pointer = viewOf(pane).timeAt(place.x);
    draw();
  });
  const release = () => { drag = null; };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => { pointer = null; draw(); });
  canvas.addEventListener("dblclick", () => {
    interval = whole.slice();
    panes.forEach(p => { p.range = null; });
    draw();
  });
}

// The last index whose instant is not after t; -1 if there is none.
function indexAt(time, t) {
  let low = 0, high = time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle + 1; else high = middle;
  }
  return low - 1;
}

function valueAt(line, t) {
  const { time, values } = line;
  const k = indexAt(time, t);
  if (k < 0) return null;
  if (line.stepped || time[k] === t) return values[k];
  if (k + 1 >= time.length || values[k] === null || values[k + 1] === null) return null;
  return values[k] + (values[k + 1] - values[k]) * (t - time[k]) / (time[k + 1] - time[k]);
}

function rangeInView(pane) {
  let low = Infinity, high = -Infinity;
  const take = v => { if (v !== null) { low = Math.min(low, v); high = Math.max(high, v); } };
  for (const line of pane.lines) {
    if (line.hidden || line.lane) continue;
    const last = indexAt(line.time, interval[1]);
    for (let k = Math.max(indexAt(line.time, interval[0]), 0); k <= last; k++) take(line.values[k]);
    interval.forEach(t => take(valueAt(line, t)));
  }
  if (low > high) return [0, 1];
  const room = low < high ? 0.05 * (high - low) : 0.5 * Math.max(Math.abs(low), 1);
  return [low - room, high + room];
}

function viewOf(pane) {
  const width = pane.canvas.clientWidth, height = pane.canvas.clientHeight;
  const [left, right] = interval, [bottom, top] = pane.range || rangeInView(pane);
  const lanes = pane.lines.filter(line => line.lane && !line.hidden);
  const across = width - margin.left - margin.right;
  const down = Math.max(height - margin.top - margin.bottom - laneHeight * lanes.length, 1);
  return {
    width, height, left, right, bottom, top, lanes, floor: margin.top + down,
    x: t => margin.left + (t - left) / (right - left) * across,
    y: v => margin.top + (top - v) / (top - bottom) * down,
    timeAt: x => left + (x - margin.left) / across * (right - left),
    valueAt: y => top - (y - margin.top) / down * (top - bottom),
  };
}

function ticks(low, high, count, log) {
  if (log) {
    const first = Math.ceil(low), last = Math.floor(high), every = Math.max(1, Math.ceil((last - first) / count));
    const list = [];
    for (let k = first; k <= last && list.length < 100; k += every) list.push({ v: k, label: `1e${k}` });
    if (list.length > 1) return list;
  }
  const rough = (high - low) / count, base = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(m => m * base).find(s => s >= rough * (1 - 1e-12)) || base;
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k <= Math.floor(high / step + 1e-9) && list.length < 100; k++) list.push(k * step);
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  const name = v => {
    const value = back(v, log);
    return decimals > 6 || Math.abs(value) >= 1e6 || log ? value.toPrecision(3) : value.toFixed(decimals);
  };
  return list.map(v => ({ v, label: name(v) }));
}

function shown(line, v) {
  if (v === null) return "";
  if (line.lane) return line.lane.length ? line.lane[v - 1] || String(v) : v ? "true" : "false";
  return String(Number(back(v, logY).toPrecision(7)));
}

function draw() {
  readout.textContent = pointer === null ? "" : `${data.across}: ${Number(back(pointer, logX).toPrecision(7))}`;
  for (const pane of panes) {
    drawPane(pane);
    for (const line of pane.lines) {
      const v = pointer === null ? null : valueAt(line, pointer);
      line.value.textContent = shown(line, v);
    }
  }
}

function drawPane(pane) {
  const canvas = pane.canvas, dense = window.devicePixelRatio || 1, view = viewOf(pane);
  canvas.width = Math.round(view.width * dense);
  canvas.height = Math.round(view.height * dense);
  canvas.dataset.left = view.left;
  canvas.dataset.right = view.right;
  canvas.dataset.bottom = view.bottom;
  canvas.dataset.top = view.top;
  const pen = canvas.getContext("2d");
  pen.setTransform(dense, 0, 0, dense, 0, 0);
  pen.clearRect(0, 0, view.width, view.height);
  const [x0, x1, y0, y1] = [margin.left, view.width - margin.right, view.height - margin.bottom, margin.top];
  const stroke = (colour, width, path) => {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    path();
    pen.stroke();
  };
  pen.font = "12px sans-serif";
  pen.fillStyle = "#222";
  pen.textAlign = "center";
  for (const { v, label } of ticks(view.left, view.right, 8, logX)) {
    stroke("#e5e5e5", 1, () => { pen.moveTo(view.x(v), y0); pen.lineTo(view.x(v), y1); });
    pen.fillText(label, view.x(v), y0 + 16);
  }
  pen.fillText(data.across, 0.5 * (x0 + x1), y0 + 31);
  pen.textAlign = "right";
  const plain = pane.lines.some(line => !line.lane);
  for (const { v, label } of plain ? ticks(view.bottom, view.top, 5, logY) : []) {
    stroke("#e5e5e5", 1, () => { pen.moveTo(x0, view.y(v)); pen.lineTo(x1, view.y(v)); });
    pen.fillText(label, x0 - 6, view.y(v) + 4);
  }
  const unit = unitOf(pane);
  if (unit) {
    pen.save();
    pen.translate(12, 0.5 * (view.floor + y1));
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText("in " + unit, 0, 0);
    pen.restore();
  }
  pen.save();
  pen.beginPath();
  pen.rect(x0, y1, x1 - x0, y0 - y1);
  pen.clip();
  drawMarks(pen, view, stroke, y0, y1);
  for (const line of pane.lines) {
    if (line.hidden || line.lane) continue;
    pen.setLineDash(line.dashes);
    stroke(line.colour, 1.5, () => (line.marker ? points : trace)(pen, line, view));
    pen.setLineDash([]);
  }
  view.lanes.forEach((line, k) => drawLane(pen, line, view, view.floor + laneHeight * k));
  if (pointer !== null) {
    stroke("#888", 1, () => { pen.moveTo(view.x(pointer), y0); pen.lineTo(view.x(pointer), y1); });
  }
  pen.restore();
  stroke("#808080", 1, () => pen.rect(x0, y1, x1 - x0, y0 - y1));
  pen.textAlign = "right";
  view.lanes.forEach((line, k) => {
    const name = line.name.length > 12 ? "…" + line.name.slice(-11) : line.name;
    pen.fillStyle = line.colour;
    pen.fillText(name, x0 - 6, view.floor + laneHeight * k + 16);
  });
}

// Dashed lines at events; where there are many, short ticks at the axis.
function drawMarks(pen, view, stroke, y0, y1) {
  const marks = data.marks.filter(t => t >= view.left && t <= view.right);
  const many = marks.length > 60;
  let last = -Infinity;
  pen.setLineDash(many ? [] : [3, 3]);
  for (const t of marks) {
    const x = view.x(t);
    if (many && x - last < 3) continue;
    last = x;
    stroke(many ? "#808080" : "#b0b0b0", 1, () => { pen.moveTo(x, y0); pen.lineTo(x, many ? y0 - 6 : y1); });
  }
  pen.setLineDash([]);
}

// A bar while a Boolean is true; bars with names for the literals of an enumeration.
function drawLane(pen, line, view, top) {
  const { time, values } = line;
  const from = Math.max(indexAt(time, view.left), 0);
  for (let k = from; k < time.length && time[k] <= view.right;) {
    let next = k + 1;
    while (next < time.length && values[next] === values[k]) next++;
    const end = next < time.length ? time[next] : time[time.length - 1];
    const [a, b] = [view.x(time[k]), view.x(end)];
    const name = line.lane[values[k] - 1];
    if (values[k] && b > a) {
      pen.globalAlpha = line.lane.length ? [0.12, 0.75, 0.25, 0.5][values[k] % 4] : 0.8;
      pen.fillStyle = line.colour;
      pen.fillRect(a, top + 5, Math.max(b - a, 0.75), 14);
      pen.globalAlpha = 1;
      if (name && pen.measureText(name).width + 6 < b - a) {
        pen.fillStyle = "#000";
        pen.textAlign = "center";
        pen.fillText(name, 0.5 * (a + b), top + 16);
      }
    }
    k = next;
  }
}

// Points of their own: poles as crosses, zeros as circles.
function points(pen, line, view) {
  const r = 4.5;
  line.time.forEach((t, k) => {
    if (line.values[k] === null) return;
    const x = view.x(t), y = view.y(line.values[k]);
    if (line.marker === "circle") {
      pen.moveTo(x + r, y);
      pen.arc(x, y, r, 0, 2 * Math.PI);
    } else {
      pen.moveTo(x - r, y - r);
      pen.lineTo(x + r, y + r);
      pen.moveTo(x - r, y + r);
      pen.lineTo(x + r, y - r);
    }
  });
}

// Of many points on one column of pixels the first, the extremes and the last are enough.
function trace(pen, line, view) {
  const { time, values } = line;
  const from = Math.max(indexAt(time, view.left), 0), to = Math.min(indexAt(time, view.right) + 1, time.length - 1);
  let pending = null, up = false;
  const go = (x, y) => { if (up) pen.lineTo(x, y); else pen.moveTo(x, y); up = true; };
  const flush = () => {
    if (!pending) return;
    go(pending.x, pending.first);
    if (pending.low !== pending.high) { go(pending.x, pending.low); go(pending.x, pending.high); }
    go(pending.x, pending.last);
    pending = null;
  };
  for (let k = from; k <= to; k++) {
    if (values[k] === null) { flush(); up = false; continue; }
    const x = view.x(time[k]), y = view.y(values[k]);
    if (line.stepped && k > from && values[k - 1] !== null) {
      const held = view.y(values[k - 1]);
      if (held !== y) { flush(); go(x, held); }
    }
    if (pending && Math.abs(x - pending.x) < 0.25) {
      pending.low = Math.min(pending.low, y);
      pending.high = Math.max(pending.high, y);
      pending.last = y;
    } else {
      flush();
      pending = { x, first: y, low: y, high: y, last: y };
    }
  }
  flush();
}

window.addEventListener("resize", draw);
draw();
