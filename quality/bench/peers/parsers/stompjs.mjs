import { Parser } from '@stomp/stompjs'

export function createReader() {
  let command
  const parser = new Parser(
    (frame) => {
      command = frame.command
    },
    () => {},
  )
  return (bytes) => {
    command = undefined
    parser.parseChunk(bytes.buffer)
    return command
  }
}
