import { registerHooks } from 'node:module'

let graphs = 0

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    const graph = context.parentURL && new URL(context.parentURL).searchParams.get('graph')
    const isOurs = resolved.url.startsWith('file:') && !resolved.url.includes('/node_modules/')
    return graph && isOurs ? { ...resolved, url: `${resolved.url}?graph=${graph}` } : resolved
  },
})

/**
 * Imports a file with Node itself, in a graph of modules of its own: it shares only packages with any other import.
 * @param {URL} file
 */
export function importAlone(file) {
  graphs += 1
  return import(`${file.href}?graph=${graphs}`)
}
