import type { ProtocolError } from './protocol-error.ts'

const FIRST_SIZE = 256

/** Bytes that come in pieces, up to a limit: memory grows with what came, not with the number of pieces. */
export class Gathered {
  #bytes = new Uint8Array(FIRST_SIZE)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** @throws what `tooLarge` makes, once there are more bytes than the limit */
  add(piece: Uint8Array, limit: number, tooLarge: () => ProtocolError): void {
    const length = this.#length + piece.length
    if (length > limit) throw tooLarge()
    if (length > this.#bytes.length) this.#grow(length)
    this.#bytes.set(piece, this.#length)
    this.#length = length
  }

  /** What came, as bytes of their own, and begins again. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length)
    this.#length = 0
    if (this.#bytes.length > FIRST_SIZE) this.#bytes = new Uint8Array(FIRST_SIZE)
    return taken
  }

  #grow(length: number): void {
    const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
