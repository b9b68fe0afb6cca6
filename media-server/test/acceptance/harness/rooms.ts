import { type RoomServiceClient, ServerError } from 'livekit-server-sdk'

/** Cleans up after a test that may have closed its room itself. */
export async function deleteRoomIfOpen(api: RoomServiceClient, name: string): Promise<void> {
  await api.deleteRoom(name).catch((error: unknown) => {
    if (error instanceof ServerError && error.code === 'not_found') return
    throw error
  })
}
