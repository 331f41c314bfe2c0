import { argv } from 'node:process'
import { run, runMigrations } from 'graphile-worker'
import { deliver, receive } from './express.mjs'
import { connectionString, eventOf, eventsWith } from './postgres.mjs'

const taskList = { deliver: async ({ id }) => deliver(await eventOf(id)) }

if (argv[2] === 'worker') await run({ connectionString, concurrency: 5, taskList })
else {
  await runMigrations({ connectionString })
  const addJob = (client, id) => client.query("select graphile_worker.add_job('deliver', $1::json)", [{ id }])
  receive(await eventsWith(addJob))
}
