import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import process, { argv, env, exit } from 'node:process'
import { isChecked } from './check-once.ts'

/**
 * Runs before the deployment engine of a local run, and replaces modules that only check serverless.yml, deploy, or run
 * functions from archives. They take a third of a start. A description that has already passed the check needs none.
 */
const INSTEAD = {
  'serverless/lib/plugins/index.js': [],
  'serverless/lib/classes/config-schema-handler/resolve-ajv-validate.js': undefined,
  'serverless/lib/classes/yaml-parser/http-ref-reader.js': {},
  jszip: undefined,
}

/** Modules that the engine loads later anyway. */
const AHEAD = ['src/lambda/index.js', 'src/events/http/index.js']

const require = createRequire(import.meta.resolve('serverless'))

process.once('disconnect', exit)
const order = once(process, 'message')

if (isChecked()) {
  for (const [name, exports] of Object.entries(INSTEAD)) {
    const path = require.resolve(name)
    require.cache[path] = Object.assign(new Module(path), { exports, filename: path, loaded: true })
  }
}
require('serverless/lib/serverless.js')
const offline = import.meta.resolve('serverless-offline')
await Promise.all([import('./offline.ts'), ...AHEAD.map((file) => import(new URL(`../${file}`, offline).href))])

const [{ parameters, environment, log }] = await order
argv.push(...parameters)
for (const name of Object.keys(env)) delete env[name]
Object.assign(env, environment)
for (const output of log === undefined ? [] : [1, 2]) {
  closeSync(output)
  // A file gets the lowest free descriptor, which is that of the output that was just closed.
  openSync(log, 'a')
}
