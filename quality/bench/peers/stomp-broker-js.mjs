import { once } from 'node:events'
import { createServer } from 'node:http'
import StompServer from 'stomp-broker-js'

const server = createServer()
new StompServer({ server, path: '/ws' })
await once(server.listen(0, '127.0.0.1'), 'listening')
process.once('disconnect', () => process.exit())
process.send?.(server.address().port)
