import { Buffer } from 'node:buffer'

const HEAD = 3
const HEAD_BYTES = HEAD * Int32Array.BYTES_PER_ELEMENT
const MAXIMUM_BYTES = 32_768

/** Where a thread shows which input it tries, for others to see when it never comes back. */
export function createWindow(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEAD_BYTES + MAXIMUM_BYTES)
}

/** @param part the number of the target */
export function showIn(window: SharedArrayBuffer, part: number): (input: Buffer) => void {
  const head = new Int32Array(window, 0, HEAD)
  const bytes = new Uint8Array(window, HEAD_BYTES)
  return (input) => {
    bytes.set(input.subarray(0, MAXIMUM_BYTES))
    head[0] = part
    head[1] = Math.min(input.length, MAXIMUM_BYTES)
    Atomics.add(head, 2, 1)
  }
}

/** From now on nothing is tried. */
export function close(window: SharedArrayBuffer): void {
  new Int32Array(window, 0, HEAD).fill(0)
}

/** An input that takes as long takes for ever, in milliseconds. */
const STUCK = 20_000

/** Looks at windows until it is told to end, and says which input a thread is stuck with. */
export function watchWindows(
  windows: readonly SharedArrayBuffer[],
  stuck: (part: number, input: Buffer) => void,
): () => void {
  const before = new Map<SharedArrayBuffer, number>()
  const timer = setInterval(() => {
    for (const window of windows) {
      const [part = 0, length = 0, count = 0] = new Int32Array(window, 0, HEAD)
      if (count > 0 && before.get(window) === count) stuck(part, Buffer.from(window, HEAD_BYTES, length))
      before.set(window, count)
    }
  }, STUCK)
  return () => clearInterval(timer)
}
