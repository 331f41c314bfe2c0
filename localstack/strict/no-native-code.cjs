const { registerHooks } = require('node:module')
const { pathToFileURL } = require('node:url')

/** Gives AWS's runtime client our JavaScript where it loads its native part, which would have to be compiled. */
const hooks = registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== './rapid-client.node') return next(specifier, context)
    hooks.deregister()
    return { url: pathToFileURL(`${__dirname}/native-client.cjs`).href, format: 'commonjs', shortCircuit: true }
  },
})
