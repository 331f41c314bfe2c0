/** What carries the bytes of one session: a WebSocket, or a socket. */
export interface Transport {
  /** @param bytes one frame, or a heart-beat */
  send(bytes: Uint8Array): void
  /** @param code of RFC 6455 section 7.4 */
  close(code: number, reason: string): void
  /** Bytes that the other side has not taken yet. */
  buffered(): number
}
