import { Buffer } from 'node:buffer'
import type { GoodDocuments, KeyServer } from '../../../lib/webhooks/rotating-keys.ts'
import type { KeyRequest } from '../../../lib/webhooks/schemes/rotation.ts'

/** Keeps what it was asked. */
export interface FakeKeyServer extends KeyServer {
  readonly asked: readonly KeyRequest[]
}

/** @param answer the body of an answer with 200, or its status, or what it throws */
export function fakeKeyServer(answer: (request: KeyRequest) => string | number | Error): FakeKeyServer {
  const asked: KeyRequest[] = []
  return {
    asked,
    async ask(request) {
      asked.push(request)
      const given = answer(request)
      if (given instanceof Error) throw given
      return typeof given === 'number'
        ? { status: given, body: Buffer.alloc(0) }
        : { status: 200, body: Buffer.from(given) }
    },
  }
}

/** The good documents that all instances of a test share. */
export function memoryDocuments(): GoodDocuments {
  const rows = new Map<string, readonly string[]>()
  return {
    of: async (source) => rows.get(source) ?? [],
    keep: async (source, documents) => void rows.set(source, documents),
  }
}
