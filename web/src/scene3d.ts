// Bodies in three dimensions: shapes of a result, placed by their frames at a time.
//
// A shape stands in a frame with origin `r` and orientation `T` (from world to frame); in it at `r_shape`, its length along
// `lengthDirection`, its width across along `widthDirection`. Geometries are made once with length, width and height one and
// are stretched by the matrix of the moment; springs and gearwheels are made anew only when their number of windings changes.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Moving, Shape, Shapes } from "./api.ts";

interface Body {
  shape: Shape;
  mesh: THREE.Mesh;
}

/** A scene that shows the bodies of a result. */
export class Scene3d {
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(35, 1, 0.001, 1e5);
  private readonly controls: OrbitControls;
  private readonly bodies: Body[] = [];
  private readonly observer: ResizeObserver;
  private row = 0;
  private weight = 0;

  constructor(
    private readonly stage: HTMLElement,
    private readonly data: Shapes,
  ) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    stage.append(this.renderer.domElement);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x667788, 1.6));
    const sun = new THREE.DirectionalLight(0xffffff, 1.8);
    sun.position.set(3, 6, 5);
    this.scene.add(sun);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("change", () => this.render());
    for (const shape of data.shapes) {
      const geometry = geometryOf(shape.kind, value(shape.extra, 0, 0));
      if (!geometry) continue;
      const material = new THREE.MeshStandardMaterial({ roughness: 0.55, metalness: 0.15, side: THREE.DoubleSide });
      const mesh = new THREE.Mesh(geometry, material);
      mesh.matrixAutoUpdate = false;
      this.scene.add(mesh);
      this.bodies.push({ shape, mesh });
    }
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(stage);
    this.place();
    this.fit();
    this.resize();
  }

  dispose(): void {
    this.observer.disconnect();
    this.controls.dispose();
    for (const { mesh } of this.bodies) mesh.geometry.dispose();
    this.renderer.dispose();
    this.renderer.domElement.remove();
  }

  /** Shows the bodies at a time. */
  show(time: number): void {
    const { time: rows } = this.data;
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    this.row = Math.max(0, low - 1);
    const [a, b] = [rows[this.row]!, rows[this.row + 1]];
    this.weight = b !== undefined && b > a ? Math.min(1, (time - a) / (b - a)) : 0;
    this.place();
    this.render();
  }

  /** Moves the camera so that all bodies are seen at all times. */
  fit(): void {
    const box = new THREE.Box3();
    const count = this.data.time.length;
    const step = Math.max(1, Math.floor(count / 12));
    const [row, weight] = [this.row, this.weight];
    for (let k = 0; k < count; k += step) {
      [this.row, this.weight] = [k, 0];
      this.place();
      for (const { mesh } of this.bodies) if (mesh.visible) box.expandByObject(mesh);
    }
    [this.row, this.weight] = [row, weight];
    this.place();
    if (box.isEmpty()) return;
    const ball = box.getBoundingSphere(new THREE.Sphere());
    const away = (0.8 * (ball.radius || 1)) / Math.sin((this.camera.fov * Math.PI) / 360);
    this.camera.position.copy(ball.center).add(new THREE.Vector3(0.55, 0.4, 1).normalize().multiplyScalar(away));
    this.camera.near = away / 200;
    this.camera.far = away * 20;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(ball.center);
    this.controls.update();
    this.render();
  }

  private resize(): void {
    const { clientWidth: w, clientHeight: h } = this.stage;
    if (w === 0 || h === 0) return;
    this.renderer.setSize(w, h);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    this.render();
  }

  private render(): void {
    this.renderer.render(this.scene, this.camera);
  }

  private place(): void {
    const { row, weight } = this;
    const number = (m: Moving) => value(m, row, weight);
    const vector = (list: Moving[]) => new THREE.Vector3(number(list[0]!), number(list[1]!), number(list[2]!));
    const [turn, inner] = [new THREE.Matrix4(), new THREE.Matrix4()];
    for (const { shape, mesh } of this.bodies) {
      const t = shape.T.map(number);
      // World from frame is the transpose of T.
      turn.set(t[0]!, t[3]!, t[6]!, 0, t[1]!, t[4]!, t[7]!, 0, t[2]!, t[5]!, t[8]!, 0, 0, 0, 0, 1);
      turn.setPosition(vector(shape.r));
      const x = vector(shape.lengthDirection);
      if (x.lengthSq() < 1e-20) x.set(1, 0, 0);
      x.normalize();
      const z = new THREE.Vector3().crossVectors(x, vector(shape.widthDirection));
      if (z.lengthSq() < 1e-12) z.crossVectors(x, Math.abs(x.x) < 0.9 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0));
      z.normalize();
      const y = new THREE.Vector3().crossVectors(z, x);
      const size = [number(shape.length), number(shape.width), number(shape.height)];
      mesh.visible = size.every((one) => Number.isFinite(one)) && size[0] !== 0 && (size[1] !== 0 || size[2] !== 0);
      inner.makeBasis(x.multiplyScalar(size[0]!), y.multiplyScalar(size[1]! || 1e-6), z.multiplyScalar(size[2]! || 1e-6));
      inner.setPosition(vector(shape.r_shape));
      mesh.matrix.multiplyMatrices(turn, inner);
      mesh.matrixWorldNeedsUpdate = true;
      const [r, g, b] = shape.color.map((m) => Math.max(0, Math.min(255, number(m))) / 255);
      (mesh.material as THREE.MeshStandardMaterial).color.setRGB(r ?? 0.5, g ?? 0.5, b ?? 0.5, THREE.SRGBColorSpace);
    }
  }
}

function value(m: Moving, row: number, weight: number): number {
  if (m === null) return 0;
  if (typeof m === "number") return m;
  const a = m[row] ?? 0;
  return weight > 0 ? a + ((m[row + 1] ?? a) - a) * weight : a;
}

/** A geometry whose length goes from zero to one along x, one wide along y, one high along z. */
function geometryOf(kind: string, extra: number): THREE.BufferGeometry | null {
  const alongX = (geometry: THREE.BufferGeometry) => geometry.rotateZ(-Math.PI / 2).translate(0.5, 0, 0);
  switch (kind) {
    case "box":
      return new THREE.BoxGeometry(1, 1, 1).translate(0.5, 0, 0);
    case "sphere":
      return new THREE.SphereGeometry(0.5, 28, 18).translate(0.5, 0, 0);
    case "cylinder":
      return alongX(new THREE.CylinderGeometry(0.5, 0.5, 1, 28));
    case "cone":
      return alongX(new THREE.CylinderGeometry(0.5 * extra, 0.5, 1, 28));
    case "pipe":
    case "pipecylinder":
      return pipe(Math.max(0, Math.min(0.99, extra)));
    case "beam":
      return beam();
    case "spring":
      return spring(Math.max(1, extra || 5));
    case "gearwheel":
      return gearwheel(Math.max(6, Math.round(Math.abs(extra)) || 20));
    default:
      // Files of surfaces are not read; a body without a picture is still told by its box.
      return /^(modelica|file):/i.test(kind) || /^\d+$/.test(kind) ? null : new THREE.BoxGeometry(1, 1, 1).translate(0.5, 0, 0);
  }
}

function extruded(outline: THREE.Shape): THREE.BufferGeometry {
  const geometry = new THREE.ExtrudeGeometry(outline, { depth: 1, bevelEnabled: false, curveSegments: 28 });
  // From along z, in the plane of x and y, to along x, in the plane of y and z.
  return geometry.applyMatrix4(new THREE.Matrix4().set(0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1));
}

function pipe(inner: number): THREE.BufferGeometry {
  const ring = new THREE.Shape().absarc(0, 0, 0.5, 0, 2 * Math.PI, false);
  if (inner > 0) ring.holes.push(new THREE.Path().absarc(0, 0, 0.5 * inner, 0, 2 * Math.PI, true));
  return extruded(ring);
}

/** A bar with round ends whose axes lie at both ends of its length. */
function beam(): THREE.BufferGeometry {
  const outline = new THREE.Shape();
  outline.moveTo(0, -0.5);
  outline.lineTo(1, -0.5);
  // In stretched coordinates a short arc stands for the half circle.
  outline.absellipse(1, 0, 0.12, 0.5, -Math.PI / 2, Math.PI / 2, false, 0);
  outline.lineTo(0, 0.5);
  outline.absellipse(0, 0, 0.12, 0.5, Math.PI / 2, (3 * Math.PI) / 2, false, 0);
  return new THREE.ExtrudeGeometry(outline, { depth: 1, bevelEnabled: false }).translate(0, 0, -0.5);
}

class Helix extends THREE.Curve<THREE.Vector3> {
  constructor(private readonly turns: number) {
    super();
  }

  override getPoint(s: number, target = new THREE.Vector3()): THREE.Vector3 {
    const angle = 2 * Math.PI * this.turns * s;
    return target.set(s, 0.5 * Math.cos(angle), 0.5 * Math.sin(angle));
  }
}

function spring(turns: number): THREE.BufferGeometry {
  return new THREE.TubeGeometry(new Helix(turns), Math.round(turns * 20), 0.05, 6);
}

function gearwheel(teeth: number): THREE.BufferGeometry {
  const outline = new THREE.Shape();
  const corners = teeth * 4;
  for (let k = 0; k < corners; k++) {
    const radius = k % 4 < 2 ? 0.5 : 0.44;
    const angle = (2 * Math.PI * k) / corners;
    const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    if (k === 0) outline.moveTo(x, y);
    else outline.lineTo(x, y);
  }
  outline.closePath();
  return extruded(outline);
}
