import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

/** The smallest page that can join a media room: the provider's own client and a few lines. */
const PAGE = `<!doctype html>
<title>bare</title>
<script src="/livekit-client.js"></script>
<button id="join">Join</button>
<script>
  let room
  // Times are by performance.now(), in milliseconds.
  async function join({ url, token, width, height }) {
    const startMs = performance.now()
    const { Room, RoomEvent } = LivekitClient
    room = new Room({
      singlePeerConnection: false,
      videoCaptureDefaults: { resolution: { width, height, frameRate: 15 } },
      publishDefaults: { simulcast: false, videoCodec: 'vp8', backupCodec: false },
    })
    const frame = new Promise((resolve) => {
      room.on(RoomEvent.TrackSubscribed, (track) => {
        const element = track.attach()
        document.body.append(element)
        if (track.kind === 'video') element.requestVideoFrameCallback(() => resolve(performance.now()))
      })
    })
    await room.connect(url, token)
    const connectedMs = performance.now() - startMs
    await room.localParticipant.setMicrophoneEnabled(true)
    await room.localParticipant.setCameraEnabled(true)
    return { connectedMs, firstFrame: frame.then((atMs) => atMs - startMs) }
  }
  async function joinUntilFrame(entry) {
    const { connectedMs, firstFrame } = await join(entry)
    return { connectedMs, firstFrameMs: await firstFrame }
  }
  async function publish(entry) {
    await join(entry)
  }
</script>`

export interface BarePage {
  url: string
  close(): void
}

/** Serves the bare page on a free port of this machine, where pages may use camera and microphone. */
export async function serveBarePage(): Promise<BarePage> {
  const client = createRequire(import.meta.url).resolve('livekit-client')
  const script = readFileSync(client.replace(/livekit-client\.[^/]*$/, 'livekit-client.umd.js'))
  const server = createServer((request, response) => {
    const isScript = request.url === '/livekit-client.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : PAGE)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://localhost:${address.port}/`, close: () => server.close() }
}
