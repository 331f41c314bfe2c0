import { flushCompileCache } from 'node:module'
import { argv } from 'node:process'
import { startSqs } from './sqs.ts'

/** A process of its own, so that it can end and come back without the others. */
const [, , port = '', region = '', folder = '', baseUrl] = argv

await startSqs(Number(port), region, { path: () => folder || undefined }, baseUrl)
// It ends by a signal, with which Node keeps nothing.
flushCompileCache()
