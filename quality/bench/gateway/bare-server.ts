import { createServer } from 'node:http'
import { argv } from 'node:process'

const BODY = '{"message":"Hello, world!"}'

createServer((_, response) => {
  response.setHeader('content-type', 'application/json').end(BODY)
}).listen(Number(argv[2]), '127.0.0.1')
