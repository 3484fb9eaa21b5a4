"use strict";
// Draws the panes on canvases. All panes share the interval of time; each has its own range of values,
// which follows the lines in view until the reader sets it.
const data = JSON.parse(document.getElementById("data").textContent);
const margin = { left: 70, right: 12, top: 8, bottom: 36 };
const whole = fullInterval();
let interval = whole.slice();
let pointer = null;
const panes = data.panes.map(makePane);

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
  const pane = { canvas, unit: description.unit, range: null, lines: [] };
  for (const s of description.series) {
    const button = document.createElement("button");
    const value = document.createElement("span");
    value.className = "value";
    button.style.color = s.colour;
    button.textContent = s.unit ? `${s.name} [${s.unit}] ` : `${s.name} `;
    button.append(value);
    legend.append(button);
    const line = { ...s, time: data.times[s.time], hidden: false, value };
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
    if (line.hidden) continue;
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
  const across = width - margin.left - margin.right, down = height - margin.top - margin.bottom;
  return {
    width, height, left, right, bottom, top,
    x: t => margin.left + (t - left) / (right - left) * across,
    y: v => margin.top + (top - v) / (top - bottom) * down,
    timeAt: x => left + (x - margin.left) / across * (right - left),
    valueAt: y => top - (y - margin.top) / down * (top - bottom),
  };
}

function ticks(low, high, count) {
  const rough = (high - low) / count, base = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(m => m * base).find(s => s >= rough * (1 - 1e-12)) || base;
  const list = [];
  for (let k = Math.ceil(low / step); k <= Math.floor(high / step) && list.length < 100; k++) list.push(k * step);
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  return list.map(v => ({ v, label: decimals > 6 || Math.abs(v) >= 1e6 ? v.toExponential(3) : v.toFixed(decimals) }));
}

function draw() {
  for (const pane of panes) {
    drawPane(pane);
    for (const line of pane.lines) {
      const v = pointer === null ? null : valueAt(line, pointer);
      line.value.textContent = v === null ? "" : String(Number(v.toPrecision(7)));
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
  for (const { v, label } of ticks(view.left, view.right, 8)) {
    stroke("#e5e5e5", 1, () => { pen.moveTo(view.x(v), y0); pen.lineTo(view.x(v), y1); });
    pen.fillText(label, view.x(v), y0 + 16);
  }
  pen.fillText(data.across, 0.5 * (x0 + x1), y0 + 31);
  pen.textAlign = "right";
  for (const { v, label } of ticks(view.bottom, view.top, 5)) {
    stroke("#e5e5e5", 1, () => { pen.moveTo(x0, view.y(v)); pen.lineTo(x1, view.y(v)); });
    pen.fillText(label, x0 - 6, view.y(v) + 4);
  }
  if (pane.unit) {
    pen.save();
    pen.translate(12, 0.5 * (y0 + y1));
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText("in " + pane.unit, 0, 0);
    pen.restore();
  }
  pen.save();
  pen.beginPath();
  pen.rect(x0, y1, x1 - x0, y0 - y1);
  pen.clip();
  const marks = data.marks.filter(t => t >= view.left && t <= view.right);
  if (marks.length <= 200) {
    pen.setLineDash([3, 3]);
    for (const t of marks) stroke("#b0b0b0", 1, () => { pen.moveTo(view.x(t), y0); pen.lineTo(view.x(t), y1); });
    pen.setLineDash([]);
  }
  for (const line of pane.lines) if (!line.hidden) stroke(line.colour, 1.5, () => trace(pen, line, view));
  if (pointer !== null) {
    stroke("#888", 1, () => { pen.moveTo(view.x(pointer), y0); pen.lineTo(view.x(pointer), y1); });
  }
  pen.restore();
  stroke("#808080", 1, () => pen.rect(x0, y1, x1 - x0, y0 - y1));
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
