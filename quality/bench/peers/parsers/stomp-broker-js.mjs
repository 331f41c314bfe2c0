import { Buffer } from 'node:buffer'
import stompUtils from 'stomp-broker-js/lib/stomp-utils.js'

export function createReader() {
  return (bytes) => stompUtils.parseFrame(Buffer.from(bytes.buffer)).command
}
