import type { CustomFetch } from 'openid-client'
import { unavailable } from '../../errors.ts'

/** More than any key set or profile, and little enough to hold. */
const MAXIMUM_BYTES = 262_144

/**
 * Fetches for the client library, which sets the time limit of each request.
 * @throws ServiceError `UNAVAILABLE` when the provider is down, too slow, failing, or sends without end
 */
export const boundedFetch: CustomFetch = async (url, { body, ...options }) => {
  try {
    const response = await fetch(url, { ...options, body: body ?? null })
    if (response.status >= 500) throw new Error(`the provider answered ${response.status}`)
    const bytes = await boundedBody(response)
    return new Response(bytes, { status: response.status, headers: response.headers })
  } catch (error) {
    throw unavailable(error)
  }
}

async function boundedBody({ body }: Response): Promise<Buffer<ArrayBuffer> | null> {
  if (!body) return null
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the rest.
  for await (const chunk of body) {
    length += chunk.length
    if (length > MAXIMUM_BYTES) throw new Error('the provider sent too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
