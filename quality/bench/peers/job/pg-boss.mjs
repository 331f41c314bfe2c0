import { argv } from 'node:process'
import { PgBoss } from 'pg-boss'
import { deliver, receive } from './express.mjs'
import { connectionString, eventOf, eventsWith } from './postgres.mjs'

const isWorker = argv[2] === 'worker'
const boss = new PgBoss({ connectionString, supervise: isWorker, schedule: isWorker })
boss.on('error', () => {})
await boss.start()
await boss.createQueue('deliver')

/** One that fails must not have the others of its batch repeated. */
const attempt = ({ id, data }) =>
  eventOf(data.id)
    .then(deliver)
    .catch(({ message }) => boss.fail('deliver', id, { message }))

if (isWorker) {
  const options = { batchSize: 5, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 }
  await boss.work('deliver', options, (jobs) => Promise.all(jobs.map(attempt)))
} else {
  const retries = { retryLimit: 20, retryDelay: 1, retryBackoff: true, retryDelayMax: 8 }
  receive(
    await eventsWith((client, id) => {
      const db = { executeSql: (text, values) => client.query(text, values) }
      return boss.send('deliver', { id }, { ...retries, db })
    }),
  )
}
