// Small PNG files: a screenshot with a palette of at most 256 colours.
import { deflateSync, inflateSync } from "node:zlib";

/** Reads the pixels of a PNG with eight bits a channel that is not interlaced, as browsers write them. */
function decode(bytes) {
  let at = 8;
  const data = [];
  let head;
  while (at < bytes.length) {
    const [size, type] = [bytes.readUInt32BE(at), bytes.toString("latin1", at + 4, at + 8)];
    const body = bytes.subarray(at + 8, at + 8 + size);
    if (type === "IHDR") head = { width: body.readUInt32BE(0), height: body.readUInt32BE(4), channels: body[9] === 6 ? 4 : 3 };
    if (type === "IDAT") data.push(body);
    at += size + 12;
  }
  const { width, height, channels } = head;
  const raw = inflateSync(Buffer.concat(data));
  const stride = width * channels;
  const pixels = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const a = x >= channels ? pixels[y * stride + x - channels] : 0;
      const b = y > 0 ? pixels[(y - 1) * stride + x] : 0;
      const c = x >= channels && y > 0 ? pixels[(y - 1) * stride + x - channels] : 0;
      const p = a + b - c;
      const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
      const paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
      const guess = [0, a, b, (a + b) >> 1, paeth][filter];
      pixels[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return { width, height, channels, pixels };
}

/** A PNG with the most frequent colours of another; the others become the nearest of them. */
export function shrink(bytes) {
  const { width, height, channels, pixels } = decode(bytes);
  const counts = new Map();
  const key = (k) => (pixels[k] << 16) | (pixels[k + 1] << 8) | pixels[k + 2];
  for (let k = 0; k < pixels.length; k += channels) counts.set(key(k), (counts.get(key(k)) ?? 0) + 1);
  const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([color]) => color);
  const parts = (color) => [color >> 16, (color >> 8) & 255, color & 255];
  const far = (a, b) => a.reduce((sum, x, k) => sum + (x - b[k]) ** 2, 0);
  // Frequent colours that are not alike.
  const palette = [];
  for (const limit of [60, 12, 0]) {
    for (const color of byCount) {
      if (palette.length >= 255) break;
      if (palette.every((known) => far(parts(known), parts(color)) > limit)) palette.push(color);
    }
  }
  const nearest = new Map();
  for (const color of byCount) {
    let best = 0;
    palette.forEach((known, k) => {
      if (far(parts(known), parts(color)) < far(parts(palette[best]), parts(color))) best = k;
    });
    nearest.set(color, best);
  }
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = nearest.get(key((y * width + x) * channels));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const chunks = [["IHDR", header], ["PLTE", Buffer.from(palette.flatMap(parts))], ["IDAT", deflateSync(rows, { level: 9 })], ["IEND", Buffer.alloc(0)]];
  return Buffer.concat([bytes.subarray(0, 8), ...chunks.map(([type, body]) => chunk(type, body))]);
}

function chunk(type, body) {
  const inner = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const whole = Buffer.alloc(inner.length + 8);
  whole.writeUInt32BE(body.length, 0);
  inner.copy(whole, 4);
  whole.writeUInt32BE(crc(inner), inner.length + 4);
  return whole;
}

function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let k = 0; k < 8; k++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}
