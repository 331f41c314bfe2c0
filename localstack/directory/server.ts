import { argv } from 'node:process'
import { serveDirectory } from './embedded.ts'
import { demoEntries } from './entries.ts'

/** A process of its own, because one malformed packet ends it: ldapjs fails outside of every handler. */
const [, , port = ''] = argv

serveDirectory(demoEntries(), Number(port), () => {})
