import { once } from 'node:events'
import { createServer } from 'node:http'
import StompServer from 'stomp-broker-js'
import { measureHere } from '../../probe.ts'

const server = createServer()
new StompServer({ server, path: '/ws' })
await once(server.listen(0, '127.0.0.1'), 'listening')
measureHere(server.address().port)
