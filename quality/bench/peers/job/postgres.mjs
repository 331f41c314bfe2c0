import { env } from 'node:process'
import pg from 'pg'

export const connectionString = `postgres://postgres@127.0.0.1:${env.STORE_PORT}/postgres`
const pool = new pg.Pool({ connectionString })
pool.on('error', () => {})

/** A table of events, each of which is added with its job in one transaction. @param addJob gets the client and the id */
export async function eventsWith(addJob) {
  await pool.query('create table if not exists events (id text primary key, body jsonb not null)')
  return async ({ id, ...event }) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const insert = 'insert into events values ($1, $2) on conflict do nothing'
      const { rowCount } = await client.query(insert, [id, { id, ...event }])
      if (rowCount === 1) await addJob(client, id)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }
}

export async function eventOf(id) {
  const { rows } = await pool.query('select body from events where id = $1', [id])
  return rows[0].body
}
