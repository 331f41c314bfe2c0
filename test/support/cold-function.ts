import { pathToFileURL } from 'node:url'
import type { Context } from 'aws-lambda'
import { vi } from 'vitest'
import type { HttpEvent, Reply } from '../../lib/http/message.ts'
import { type Invoke, invoker } from './lambda-event.ts'
import { importAlone } from './native-import.mjs'

type Handler = (event: never, context: Context) => Promise<unknown>

/** The handler of a function that nothing has called yet: it shares no module of ours with another one. */
export async function coldFunction<H = Handler>(name: string): Promise<H> {
  vi.stubGlobal('ERROR_PAGE_MANIFEST', '{}')
  return (await importAlone(pathToFileURL(`functions/${name}.ts`))).start()
}

/** The same for one that HTTP calls. */
export async function coldEndpoint(name: string): Promise<Invoke> {
  return invoker(await coldFunction<(event: HttpEvent, context: Context) => Promise<Reply>>(name))
}
