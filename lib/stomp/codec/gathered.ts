import type { ProtocolError } from './frame.ts'

const FIRST_SIZE = 256
const NOTHING = new Uint8Array(0)

/** Bytes that arrive in pieces, up to a limit: the memory grows with the bytes, not with the number of pieces. */
export class Gathered {
  #bytes = NOTHING
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

  /**
   * The bytes before a last piece together with it; then it is empty again. A single piece is returned without a copy.
   * @throws the error that `tooLarge` makes
   */
  end(piece: Uint8Array, limit: number, tooLarge: () => ProtocolError): Uint8Array {
    if (this.#length === 0 && piece.length <= limit) return piece
    this.add(piece, limit, tooLarge)
    return this.take()
  }

  /** What came, and begins again with no memory held. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length)
    this.#bytes = NOTHING
    this.#length = 0
    return taken
  }

  #grow(length: number): void {
    const larger = new Uint8Array(Math.max(FIRST_SIZE, length, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
