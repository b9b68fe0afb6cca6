import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'

const SOURCE_MAP = /\.(?:[cm]?[jt]s|css)\.map$/

/** What large packages bring beside what is used of them, by its place in `node_modules`. */
const UNUSED = [
  // For compiling add-ons.
  /^node-linux-\w+\/(?:include|share)$/,
  // Sources beside what was built of them, and tests.
  /^(?:@livekit\/protocol|livekit-client|mediabunny|zod)\/src$/,
  /^(?:bintrees|fastify)\/(?:docs|test)$/,
  // For TypeScript before 4.5.
  /^@(?:aws-sdk|smithy)\/[\w-]+\/dist-types\/ts3\.4$/,
  // For `require` and for script elements: we import its modules.
  /^mediabunny\/dist\/bundles$/,
  // The pages load the legacy build, and its worker as it is sent.
  /^pdfjs-dist\/(?:legacy\/)?(?:image_decoders|web)$/,
  /^pdfjs-dist\/build$/,
  /^pdfjs-dist\/legacy\/build\/pdf\.(?:renderer|sandbox|worker)\.mjs$/,
  // For profiling, and for rendering on servers other than Node.
  /^react-dom\/cjs\/react-dom-(?:profiling|server(?:-legacy)?\.(?:browser|bun|edge))\.[\w.]+$/,
  // Pages of tools that only a person starts.
  /^playwright-core\/lib\/vite$/,
  // For browsers without SIMD, which the pages do not support.
  /^@mediapipe\/tasks-vision\/wasm\/vision_wasm_nosimd_internal\.(?:js|wasm)$/,
  // We take one model of this package (docs/adr/0023).
  /^@stream-io\/video-filters-web\/(?:dist|mediapipe\/wasm|src|tf)$/,
  /^@stream-io\/video-filters-web\/mediapipe\/models\/selfie_multiclass_256x256\.tflite$/,
]

/**
 * Removes from this `node_modules` what nothing here opens: source maps, and the dead weight of large packages.
 * Follows no links. What cannot be removed stays: the installation is complete with it.
 */
export async function trimPackages(nodeModules: string): Promise<void> {
  // With its entries, `readdir` follows no links: the workspaces are links, too.
  const entries = await readdir(nodeModules, { recursive: true, withFileTypes: true })
  const places = entries.map((entry) => path.join(entry.parentPath, entry.name))
  const unused = places.filter((place) => isUnused(path.relative(nodeModules, place)))
  for (const place of unused) await rm(place, { recursive: true, force: true }).catch(() => {})
}

function isUnused(place: string): boolean {
  return SOURCE_MAP.test(place) || UNUSED.some((pattern) => pattern.test(place))
}
