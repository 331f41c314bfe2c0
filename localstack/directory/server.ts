import { flushCompileCache } from 'node:module'
import { argv } from 'node:process'
import { serveDirectory } from './embedded.ts'
import { demoEntries } from './entries.ts'

/** A process of its own, because one malformed packet ends it: ldapjs fails outside of every handler. */
const [, , port = ''] = argv

// It ends by a signal, with which Node keeps nothing.
serveDirectory(demoEntries(), Number(port), flushCompileCache)
