/** Asks an address, and follows no redirect. @throws Error when it does not answer, or with a failure of its own (5xx) */
export async function signOfLife(url: URL, signal: AbortSignal): Promise<void> {
  const { status, body } = await fetch(url, { redirect: 'manual', signal })
  await body?.cancel()
  if (status >= 500) throw new Error(`it answers ${status}`)
}
