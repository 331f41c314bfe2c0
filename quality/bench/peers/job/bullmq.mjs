import { argv, env } from 'node:process'
import { Queue, Worker } from 'bullmq'
import { deliver, receive } from './express.mjs'

const connection = { host: '127.0.0.1', port: Number(env.STORE_PORT) }

if (argv[2] === 'worker') new Worker('webhooks', ({ data }) => deliver(data), { connection, concurrency: 5 })
else {
  const queue = new Queue('webhooks', { connection })
  const options = { attempts: 20, backoff: { type: 'exponential', delay: 1000 } }
  receive((event) => queue.add(event.type, event, { jobId: event.id, ...options }))
}
