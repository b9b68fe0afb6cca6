"""The operations of the API and their types.

Made from docs/openapi.json by `npm run openapi`: change the description, and not this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict
from urllib.parse import quote

from .transport import Transport

if TYPE_CHECKING:
    from typing_extensions import NotRequired

# Name, content and media type.
File = tuple[str, bytes, str]


class AdvancedClock(TypedDict):
    """What advanced."""

    advanced_seconds: int
    sessions: int
    connection_tests: int


class ApiKey(TypedDict):
    """An API key without its secret."""

    key_id: str
    note: str | None
    scopes: list[ApiKeyScope]
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    revoked_at: str | None


class ApiKeyList(TypedDict):
    """One page of the list."""

    items: list[ApiKey]
    next_cursor: str | None
    has_more: bool


class ApiKeyRequest(TypedDict):
    """The key to issue."""

    note: NotRequired[str]
    scopes: NotRequired[list[ApiKeyScope]]
    expires_at: NotRequired[str]


class ApiKeyRotation(TypedDict):
    """How a key is replaced."""

    overlap_seconds: NotRequired[int]
    expires_at: NotRequired[str]


ApiKeyScope: TypeAlias = Literal["control", "manage"]


ArchiveMode: TypeAlias = Literal["always", "manual"]


ArchiveResolution: TypeAlias = Literal["640x480", "1280x720"]


class Ban(TypedDict):
    """A ban that is in effect."""

    participant_id: str
    status: Literal["banned"]


class BanRequest(TypedDict):
    """Why a person is banned."""

    reason: str


class ChatAttachment(TypedDict):
    """The file of a chat message."""

    url: str
    name: str
    mime: str
    size: int


ChatContentType: TypeAlias = Literal["text", "stamp", "archive_status", "file"]


class ChatMessage(TypedDict):
    """A chat message."""

    id: str
    visibility: Visibility
    participant_id: str | None
    sender_name: str
    content_type: ChatContentType
    text: str | None
    attachment: ChatAttachment | None
    created_at: str


class ChatMessageList(TypedDict):
    """One page of the list."""

    items: list[ChatMessage]
    next_cursor: str | None
    has_more: bool


class Clip(TypedDict):
    """A range of a recording as a file of its own. A recording may have many."""

    id: str
    recording_id: str
    title: str | None
    start_sec: float
    end_sec: float
    viewer: Viewer | None
    status: ClipStatus
    size: int | None
    duration_sec: float | None
    failure_reason: str | None
    created_at: str
    updated_at: str


class ClipList(TypedDict):
    """One page of the list."""

    items: list[Clip]
    next_cursor: str | None
    has_more: bool


class ClipRequest(TypedDict):
    """Which range of the recording to cut out."""

    start_sec: float
    end_sec: float
    title: NotRequired[str | None]


ClipResult: TypeAlias = Literal["available", "failed"]


ClipStatus: TypeAlias = Literal["pending", "available", "failed"]


class ClipStatusChanged(TypedDict):
    """How a clip ended."""

    clip_id: str
    recording_id: str
    room_id: str
    session_external_ref: ExternalRef | None
    status: ClipResult
    failure_reason: str | None


class ClipStatusChangedEvent(TypedDict):
    """A clip became available or failed"""

    id: str
    version: Literal["1"]
    type: Literal["clip.status_changed"]
    occurred_at: str
    data: ClipStatusChanged


class ClockAdvance(TypedDict):
    """How far the clock of the sandbox advances."""

    advance_seconds: int


class CloseRoom(TypedDict):
    """Why the room is closed."""

    reason: NotRequired[str]


class CompleteUpload(TypedDict):
    """What you know about the uploaded file."""

    duration_sec: NotRequired[float | None]


class ConnectionTest(TypedDict):
    """A measurement of a respondent's browser, devices and connection."""

    id: str
    room_id: str
    external_type: str | None
    external_id: str | None
    name: str | None
    status: ConnectionTestStatus
    connect_url: str
    expires_at: str
    started_at: str | None
    completed_at: str | None
    measured_sec: float | None
    client: ConnectionTestClient | None
    devices: ConnectionTestDevices | None
    baseline: ConnectionTestBaseline | None
    load: ConnectionTestLoad | None
    summary: ConnectionTestSummary | None
    failure_reason: ConnectionTestFailure | None
    provider_inspector_url: str | None
    recordings: list[ConnectionTestRecording]
    created_at: str


class ConnectionTestAudioSummary(TypedDict):
    """Audio quality."""

    mos: float | None


class ConnectionTestBaseline(TypedDict):
    """The connection without load."""

    signaling: ConnectionTestSignaling
    media: ConnectionTestMediaPath
    rtt_ms: ConnectionTestSpread
    jitter_ms: ConnectionTestSpread


class ConnectionTestClient(TypedDict):
    """The browser of the respondent."""

    browser_name: str | None
    browser_version: str | None
    platform_name: str | None
    platform_version: str | None
    is_mobile: bool | None


class ConnectionTestCompleted(TypedDict):
    """How a connection test ended."""

    connection_test_id: str
    room_id: str
    external_ref: ExternalRef | None
    status: ConnectionTestResult
    summary: ConnectionTestSummary | None
    failure_reason: str | None
    started_at: str | None
    completed_at: str


class ConnectionTestCompletedEvent(TypedDict):
    """A connection test completed or failed"""

    id: str
    version: Literal["1"]
    type: Literal["connection_test.completed"]
    occurred_at: str
    data: ConnectionTestCompleted


class ConnectionTestDevices(TypedDict):
    """Results of the device checks."""

    camera: DeviceResult
    microphone: DeviceResult
    speaker: DeviceResult


class ConnectionTestDownlink(TypedDict):
    """What the browser received."""

    audio: ConnectionTestFlow | None
    video: ConnectionTestFlow | None


ConnectionTestFailure: TypeAlias = Literal[
    "permission_denied",
    "no_device",
    "unsupported_browser",
    "signaling_failed",
    "media_failed",
    "aborted_by_user",
    "timed_out",
    "internal",
]


class ConnectionTestFlow(TypedDict):
    """Audio or video in one direction."""

    bitrate_kbps: float | None
    packet_loss_ratio: float | None
    rtt_ms: float | None
    jitter_ms: float | None
    frame_rate: float | None
    width: int | None
    height: int | None
    freeze_count: int | None
    limited_by_cpu_sec: float | None
    limited_by_bandwidth_sec: float | None


class ConnectionTestList(TypedDict):
    """One page of the list."""

    items: list[ConnectionTest]
    next_cursor: str | None
    has_more: bool


class ConnectionTestLoad(TypedDict):
    """The connection while it carried as much as an interview."""

    uplink: ConnectionTestUplink
    downlink: ConnectionTestDownlink
    downlink_tcp: ConnectionTestTcp | None
    available_outgoing_kbps: float | None


class ConnectionTestMediaPath(TypedDict):
    """Media connection to the media server."""

    connected: bool
    connect_ms: float | None
    protocol: str | None
    candidate_type: str | None


class ConnectionTestRecording(TypedDict):
    """A recording of a connection test."""

    id: str
    status: RecordingStatus
    duration_sec: float | None


class ConnectionTestRequest(TypedDict):
    """The connection test to start."""

    external_type: NotRequired[str]
    external_id: NotRequired[ExternalId]
    name: NotRequired[str | None]
    locale: NotRequired[Locale]
    stream_resolution: NotRequired[StreamResolution]
    stream_frame_rate: NotRequired[StreamFrameRate]
    record: NotRequired[bool]
    expires_in_seconds: NotRequired[int]


ConnectionTestResult: TypeAlias = Literal["completed", "failed"]


class ConnectionTestSignaling(TypedDict):
    """Signaling connection to the media server."""

    connected: bool
    connect_ms: float | None


class ConnectionTestSpread(TypedDict):
    """Mean and highest value."""

    avg: float | None
    max: float | None


ConnectionTestStatus: TypeAlias = Literal["pending", "running", "completed", "failed", "expired"]


class ConnectionTestSummary(TypedDict):
    """The measurement in a few numbers. It states facts and makes no judgement."""

    audio: ConnectionTestAudioSummary
    video: ConnectionTestVideoSummary
    packet_loss_ratio: float | None
    rtt_ms: float | None
    jitter_ms: float | None
    uplink_kbps: float | None
    downlink_kbps: float | None
    warnings: list[ConnectionWarning]


class ConnectionTestTcp(TypedDict):
    """Receiving over TCP instead of UDP."""

    connected: bool
    connect_ms: float | None
    audio: ConnectionTestFlow | None
    video: ConnectionTestFlow | None


class ConnectionTestUplink(TypedDict):
    """What the browser sent."""

    audio: ConnectionTestFlow | None
    video: ConnectionTestFlow | None


class ConnectionTestVideoSummary(TypedDict):
    """Recommended video settings."""

    recommended_resolution: StreamResolution | None
    recommended_frame_rate: StreamFrameRate | None
    limitation: str | None


ConnectionWarning: TypeAlias = Literal[
    "relay_only",
    "tcp_only",
    "high_loss",
    "high_rtt",
    "high_jitter",
    "low_uplink",
    "cpu_limited",
]


class CreatedWebhookEndpoint(TypedDict):
    """A new endpoint with its secret."""

    id: str
    url: str
    description: str | None
    event_types: list[str] | None
    state: WebhookEndpointState
    consecutive_failures: int
    next_probe_at: str | None
    created_at: str
    secret: str


class DataExportRequest(TypedDict):
    """Whose data to export, and which page of it."""

    external_type: str
    external_id: ExternalId
    cursor: NotRequired[str]
    limit: NotRequired[int]


DeviceResult: TypeAlias = Literal[
    "ok",
    "denied",
    "not_found",
    "in_use",
    "failed",
    "not_tested",
]


class DownloadAccess(TypedDict):
    """A download URL that was issued. The entry outlives the file."""

    id: str
    recording_id: str
    processed_recording_id: str | None
    clip_id: str | None
    transcription_id: str | None
    issued_at: str
    expires_at: str


class DownloadAccessList(TypedDict):
    """One page of the list."""

    items: list[DownloadAccess]
    next_cursor: str | None
    has_more: bool


class EnteredParticipant(TypedDict):
    """Who entered."""

    id: str | None
    role: Role
    display_name: str
    external_type: str | None
    external_id: str | None


class EntryHistory(TypedDict):
    """One media connection of one person, with its start and end."""

    id: int
    room_id: str
    participant_id: str | None
    name: str
    role: Role
    browser_name: str | None
    browser_version: str | None
    platform_name: str | None
    platform_version: str | None
    ip_address: str | None
    entered_at: str
    left_at: str | None
    duration_sec: int | None


class EntryHistoryList(TypedDict):
    """One page of the list."""

    items: list[EntryHistory]
    next_cursor: str | None
    has_more: bool


class ErasedCounts(TypedDict):
    """How much is removed, by kind."""

    participants: int
    entries: int
    admissions: int
    room_events: int
    chat_messages: int
    recordings: int
    processed_recordings: int
    clips: int
    transcriptions: int
    connection_tests: int
    events: int


class Erasure(TypedDict):
    """The erasure of one person."""

    id: str
    state: ErasureState
    subject: str
    recordings: RecordingsOfErasure
    requested_at: str
    requested_by: str
    waits_until: str | None
    removed: ErasedCounts
    remains: list[RemainingData]
    finished_at: str | None
    receipt: str | None
    previous_erasure_id: str | None


class ErasureList(TypedDict):
    """One page of the list."""

    items: list[Erasure]
    next_cursor: str | None
    has_more: bool


class ErasurePreview(TypedDict):
    """What an erasure would do."""

    subject: str
    removed: ErasedCounts
    remains: list[RemainingData]
    waits_until: str | None


class ErasureRequest(TypedDict):
    """Whom to erase."""

    external_type: str
    external_id: ExternalId
    recordings: NotRequired[RecordingsOfErasure]


ErasureState: TypeAlias = Literal["pending", "waiting", "blocked", "done"]


ErrorCode: TypeAlias = Literal[
    "INVALID_REQUEST",
    "INVALID_JSON",
    "UNKNOWN_ROLE",
    "UNAUTHORIZED",
    "NOT_FOUND",
    "METHOD_NOT_ALLOWED",
    "DUPLICATE_EXTERNAL_REF",
    "SESSION_ALREADY_STARTED",
    "SESSION_RELEASED",
    "PARTICIPANT_BANNED",
    "RECORDING_NOT_AVAILABLE",
    "PROCESSED_RECORDING_NOT_AVAILABLE",
    "CLIP_NOT_AVAILABLE",
    "PROCESSED_RECORDING_ALREADY_EXISTS",
    "UPLOAD_NOT_FOUND",
    "HANDOUT_IN_USE",
    "TRANSCRIPTION_IN_PROGRESS",
    "ROOM_CLOSED",
    "IDEMPOTENCY_KEY_IN_USE",
    "FILE_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
    "VALIDATION_ERROR",
    "INVALID_TIME_WINDOW",
    "OUTSIDE_TIME_WINDOW",
    "UNSUPPORTED_FILE_TYPE",
    "IDEMPOTENCY_KEY_CONFLICT",
    "IMMUTABLE_FIELD",
    "INVALID_STAMP",
    "RATE_LIMIT_EXCEEDED",
    "INTERNAL_ERROR",
    "RTC_PROVISION_FAILED",
    "SERVICE_UNAVAILABLE",
]


class Event(TypedDict):
    """An event, as its webhook reports it if it has one."""

    id: str
    version: str
    type: str
    occurred_at: str
    data: dict[str, Any]


class EventList(TypedDict):
    """One page of the list."""

    items: list[Event]
    next_cursor: str | None
    has_more: bool


class ExportedAdmission(TypedDict):
    """One admission of the person to a room. Kept for a limited time."""

    role: Role
    display_name: str
    token_id: str | None
    browser_name: str | None
    browser_version: str | None
    platform_name: str | None
    platform_version: str | None
    ip_address: str | None
    admitted_at: str


class ExportedRoom(TypedDict):
    """Everything of the person in one room."""

    room_id: str
    participants: list[Participant]
    entries: list[EntryHistory]
    admissions: list[ExportedAdmission]
    chat_messages: list[ChatMessage]
    room_events: list[RoomEvent]
    recording_ids: list[str]
    connection_test: ConnectionTest | None


class ExportedRoomList(TypedDict):
    """One page of the list."""

    items: list[ExportedRoom]
    next_cursor: str | None
    has_more: bool


ExternalId: TypeAlias = "str | int"


class ExternalRef(TypedDict):
    """Your reference."""

    external_type: str
    external_id: str


class Handout(TypedDict):
    """An image or a video that a moderator can show in the room."""

    id: str
    session_id: str
    external_type: str | None
    external_id: str | None
    file_name: str
    title: str | None
    file_url: str
    content_type: HandoutContentType
    sort: int
    created_at: str


HandoutContentType: TypeAlias = Literal["image", "video"]


class HandoutList(TypedDict):
    """One page of the list."""

    items: list[Handout]
    next_cursor: str | None
    has_more: bool


Immutable: TypeAlias = "Any"


class IssuedApiKey(TypedDict):
    """A new API key with its secret."""

    key_id: str
    note: str | None
    scopes: list[ApiKeyScope]
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    revoked_at: str | None
    api_key: str


class LegalHold(TypedDict):
    """What neither an erasure nor retention deletes."""

    id: str
    room_id: str | None
    external_type: str | None
    external_id: str | None
    reason: str
    created_at: str


class LegalHoldList(TypedDict):
    """One page of the list."""

    items: list[LegalHold]
    next_cursor: str | None
    has_more: bool


class LegalHoldRequest(TypedDict):
    """What to hold: a room, or every room that a person has entered or will enter."""

    room_id: NotRequired[str]
    external_type: NotRequired[str]
    external_id: NotRequired[ExternalId]
    reason: str


Locale: TypeAlias = Literal["ja", "en"]


OutputMode: TypeAlias = Literal["composed", "individual"]


class Participant(TypedDict):
    """A person in one role in one room. Created when a participant token is verified for the
    first time.
    """

    id: str
    room_id: str
    role: Role
    display_name: str
    external_type: str | None
    external_id: str | None
    status: ParticipantStatus
    banned_at: str | None
    created_at: str


class ParticipantEntered(TypedDict):
    """Who entered which room."""

    room_id: str
    session_id: str | None
    session_external_ref: ExternalRef | None
    participant: EnteredParticipant
    entry_history_id: int
    entered_at: str


class ParticipantEnteredEvent(TypedDict):
    """A person entered a room"""

    id: str
    version: Literal["1"]
    type: Literal["participant.entered"]
    occurred_at: str
    data: ParticipantEntered


class ParticipantList(TypedDict):
    """One page of the list."""

    items: list[Participant]
    next_cursor: str | None
    has_more: bool


ParticipantStatus: TypeAlias = Literal["active", "banned"]


class ProcessedRecording(TypedDict):
    """A trimmed or edited version of a recording. A recording has at most one."""

    id: str
    recording_id: str
    source: ProcessedSource
    trim_start_sec: float | None
    trim_end_sec: float | None
    status: ProcessedStatus
    size: int | None
    duration_sec: float | None
    failure_reason: str | None
    created_at: str
    updated_at: str
    upload: NotRequired[SignedUrl]


ProcessedRecordingRequest: TypeAlias = "TrimRequest | UploadRequest"


ProcessedRecordingResult: TypeAlias = Literal["available", "failed"]


class ProcessedRecordingStatusChanged(TypedDict):
    """The new status of a processed recording."""

    processed_recording_id: str
    recording_id: str
    room_id: str
    session_external_ref: ExternalRef | None
    source: ProcessedSource
    status: ProcessedRecordingResult
    previous_status: ProcessedStatus
    failure_reason: str | None


class ProcessedRecordingStatusChangedEvent(TypedDict):
    """A processed recording became available or failed"""

    id: str
    version: Literal["1"]
    type: Literal["processed_recording.status_changed"]
    occurred_at: str
    data: ProcessedRecordingStatusChanged


ProcessedSource: TypeAlias = Literal["trim", "upload"]


ProcessedStatus: TypeAlias = Literal["pending", "processing", "available", "failed"]


class RecordedPerson(TypedDict):
    """How much of one person is in a recording."""

    participant_id: str | None
    role: Role
    display_name: str
    expected_sec: float
    actual_sec: float
    gaps: list[RecordingGap]
    short_gaps_sec: float


class Recording(TypedDict):
    """A recording of a room. A room may have several."""

    id: str
    room_id: str
    provider_archive_id: str
    status: RecordingStatus
    output_mode: OutputMode
    size: int | None
    duration_sec: float | None
    estimated_available_at: NotRequired[str | None]
    created_at: str
    updated_at: str


class RecordingCompleteness(TypedDict):
    """What a recording should contain, and what it does."""

    recording_id: str
    is_complete: bool | None
    missing_sec: float
    people: list[RecordedPerson]


class RecordingGap(TypedDict):
    """A stretch of at least 2 seconds in which a person should be recorded and is not, or not
    with all that they send.
    """

    started_at: str
    ended_at: str
    duration_sec: float
    reason: RecordingGapReason


RecordingGapReason: TypeAlias = Literal[
    "late_start",
    "recorder_failed",
    "storage_failed",
    "codec_unsupported",
]


class RecordingList(TypedDict):
    """One page of the list."""

    items: list[Recording]
    next_cursor: str | None
    has_more: bool


RecordingStatus: TypeAlias = Literal[
    "started",
    "paused",
    "stopped",
    "uploaded",
    "available",
    "expired",
    "failed",
]


class RecordingStatusChanged(TypedDict):
    """The new status of a recording."""

    recording_id: str
    room_id: str
    session_id: str | None
    session_external_ref: ExternalRef | None
    status: RecordingStatus
    previous_status: RecordingStatus | None
    failure_reason: str | None


class RecordingStatusChangedEvent(TypedDict):
    """A recording changed its status"""

    id: str
    version: Literal["1"]
    type: Literal["recording.status_changed"]
    occurred_at: str
    data: RecordingStatusChanged


RecordingsOfErasure: TypeAlias = Literal["delete", "keep"]


class RemainingData(TypedDict):
    """Something that stays, and why."""

    room_id: str
    what: RemainingKind
    reason: RemainingReason
    legal_hold_id: str | None


RemainingKind: TypeAlias = Literal["everything", "recordings"]


RemainingReason: TypeAlias = Literal["legal_hold", "kept_on_request"]


class Retention(TypedDict):
    """How long the records of a room are kept."""

    recordings_days: int | None
    chat_days: int | None
    handouts_days: int | None
    recordings_days_max: int | None


class RetentionPatch(TypedDict):
    """The rules to change. An absent member stays as it is."""

    recordings_days: NotRequired[int | None]
    chat_days: NotRequired[int | None]
    handouts_days: NotRequired[int | None]


Role: TypeAlias = Literal["moderator", "observer", "panelist", "platform_observer"]


class Room(TypedDict):
    """A video room, where one interview takes place."""

    id: str
    kind: RoomKind
    status: RoomStatus
    archive_mode: ArchiveMode
    archive_resolution: ArchiveResolution
    transcription_language: str
    transcription_service: TranscriptionEngine
    session: SessionInRoom | None
    stream_resolution: StreamResolution
    stream_frame_rate: StreamFrameRate
    connect_url: str
    provider_inspector_url: str | None
    created_at: str


class RoomEvent(TypedDict):
    """One entry in the log of a room."""

    id: int
    room_id: str
    event_type: str
    payload: dict[str, Any] | None
    created_at: str


class RoomEventList(TypedDict):
    """One page of the list."""

    items: list[RoomEvent]
    next_cursor: str | None
    has_more: bool


RoomKind: TypeAlias = Literal["interview", "connection_test"]


class RoomOfSession(TypedDict):
    """The room of the session."""

    id: str
    session_id: str
    connect_url: str


class RoomOverview(TypedDict):
    """A room, with what is happening in it now."""

    id: str
    status: RoomStatus
    archive_mode: ArchiveMode
    session: SessionOfOverview
    connect_url: str
    people_present: int
    entries: int
    recording_status: RecordingStatus | None
    created_at: str


class RoomOverviewList(TypedDict):
    """One page of the list."""

    items: list[RoomOverview]
    next_cursor: str | None
    has_more: bool


class RoomPatch(TypedDict):
    """The settings to change. An absent one stays as it is."""

    transcription_language: NotRequired[TranscriptionLanguage]
    transcription_service: NotRequired[TranscriptionEngine]
    archive_mode: NotRequired[Immutable]
    archive_resolution: NotRequired[Immutable]
    stream_resolution: NotRequired[Immutable]
    stream_frame_rate: NotRequired[Immutable]


class RoomRequest(TypedDict):
    """The room to book, with its session."""

    kind: Literal["interview"]
    archive_mode: NotRequired[ArchiveMode]
    archive_resolution: NotRequired[ArchiveResolution]
    stream_resolution: NotRequired[StreamResolution]
    stream_frame_rate: NotRequired[StreamFrameRate]
    transcription_language: NotRequired[TranscriptionLanguage]
    transcription_service: NotRequired[TranscriptionEngine]
    session: SessionRequest


RoomStatus: TypeAlias = Literal["open", "closed"]


class RoomSummary(TypedDict):
    """A room in short, with the settings that were changed."""

    id: str
    kind: RoomKind
    status: RoomStatus
    transcription_language: NotRequired[str]
    transcription_service: NotRequired[TranscriptionEngine]


class RotatedSecret(TypedDict):
    """A new secret."""

    secret: str
    previous_secrets_expire_at: str


class Sandbox(TypedDict):
    """What your sandbox can do."""

    triggers: list[SandboxTriggerChoice]


class SandboxTriggerChoice(TypedDict):
    """A webhook that can be triggered."""

    type: TriggerType
    failure_reasons: list[str]


class Session(TypedDict):
    """A booked slot. Each session has one room."""

    id: str
    external_type: str
    external_id: str
    starts_at: str
    ends_at: str
    name: str | None
    access_token: str
    status: SessionStatus
    room: RoomOfSession
    created_at: str


class SessionInRoom(TypedDict):
    """The session of a room."""

    id: str
    external_type: str
    external_id: str
    starts_at: str
    ends_at: str
    status: SessionStatus


class SessionList(TypedDict):
    """One page of the list."""

    items: list[Session]
    next_cursor: str | None
    has_more: bool


class SessionOfOverview(TypedDict):
    """The session of a room, with its name."""

    id: str
    external_type: str
    external_id: str
    starts_at: str
    ends_at: str
    status: SessionStatus
    name: str | None


class SessionPatch(TypedDict):
    """What to change. An absent member stays as it is."""

    name: NotRequired[str | None]
    starts_at: NotRequired[str]
    ends_at: NotRequired[str]
    external_type: NotRequired[Immutable]
    external_id: NotRequired[Immutable]


class SessionRequest(TypedDict):
    """The slot to book. One external reference books one session."""

    external_type: str
    external_id: ExternalId
    name: NotRequired[str | None]
    starts_at: str
    ends_at: str


SessionStatus: TypeAlias = Literal["scheduled", "active", "closed", "cancelled"]


class SignedUrl(TypedDict):
    """A URL that works without a credential, for a limited time."""

    url: str
    expires_at: str


SimulatedConsent: TypeAlias = Literal["given", "declined"]


class SimulatedPerson(TypedDict):
    """A simulated person who is connected."""

    participant_id: str
    role: Role
    display_name: str
    is_publishing: bool


class SimulatedPersonRequest(TypedDict):
    """Who enters."""

    role: SimulatedRole
    name: str
    external_type: NotRequired[str]
    external_id: NotRequired[ExternalId]
    is_publishing: NotRequired[bool]
    consent: NotRequired[SimulatedConsent]


SimulatedRole: TypeAlias = Literal["moderator", "panelist", "observer"]


StreamFrameRate: TypeAlias = Literal[30, 15, 7, 1]


StreamResolution: TypeAlias = Literal["320x240", "640x480", "1280x720"]


SubscribedType: TypeAlias = Literal[
    "participant.entered",
    "recording.status_changed",
    "connection_test.completed",
    "transcription.completed",
    "processed_recording.status_changed",
    "clip.status_changed",
]


TenantRole: TypeAlias = Literal["moderator", "observer", "panelist"]


class TimelineItem(TypedDict):
    """A room event, placed in a recording."""

    type: str
    at: str
    offset_sec: float
    payload: dict[str, Any] | None


class TimelineItemList(TypedDict):
    """What happened when in a recording: one page of its items."""

    segments: list[TimelineSegment]
    items: list[TimelineItem]
    next_cursor: str | None
    has_more: bool


class TimelineSegment(TypedDict):
    """A stretch that was recorded without a break."""

    started_at: str
    ended_at: str
    offset_sec: float


class TokenKey(TypedDict):
    """A public key that verifies your participant tokens."""

    kid: str
    alg: TokenKeyAlgorithm
    public_jwk: dict[str, Any]
    status: TokenKeyStatus
    allowed_roles: list[Role]
    not_before: str | None
    not_after: str | None
    created_at: str


TokenKeyAlgorithm: TypeAlias = Literal["ES256", "EdDSA", "RS256"]


TokenKeyEnd: TypeAlias = Literal["retired", "revoked"]


class TokenKeyList(TypedDict):
    """One page of the list."""

    items: list[TokenKey]
    next_cursor: str | None
    has_more: bool


class TokenKeyPatch(TypedDict):
    """The new status. A key never becomes active again."""

    status: TokenKeyEnd


class TokenKeyRequest(TypedDict):
    """The public key to register."""

    kid: str
    alg: TokenKeyAlgorithm
    public_jwk: dict[str, Any]
    allowed_roles: NotRequired[list[TenantRole]]
    not_before: NotRequired[str]
    not_after: NotRequired[str]


TokenKeyStatus: TypeAlias = Literal["active", "retired", "revoked"]


class Transcription(TypedDict):
    """What was said in a recording, as WebVTT captions."""

    id: str
    recording_id: str
    room_id: str
    provider: TranscriptionEngine
    provider_transcription_id: str | None
    status: TranscriptionStatus
    language: str
    kind: TranscriptionKind
    result_url: str | None
    created_at: str
    updated_at: str


class TranscriptionCompleted(TypedDict):
    """How a transcription ended."""

    transcription_id: str
    recording_id: str
    room_id: str
    session_id: str | None
    session_external_ref: ExternalRef | None
    status: TranscriptionResult
    language: str
    failure_reason: str | None


class TranscriptionCompletedEvent(TypedDict):
    """A transcription is done or failed"""

    id: str
    version: Literal["1"]
    type: Literal["transcription.completed"]
    occurred_at: str
    data: TranscriptionCompleted


TranscriptionEngine: TypeAlias = Literal["engine_a", "engine_b", "engine_c", "engine_d", "engine_e"]


TranscriptionKind: TypeAlias = Literal["transcription", "translation"]


TranscriptionLanguage: TypeAlias = Literal[
    "ja-JP",
    "en-US",
    "zh-CN",
    "zh-TW",
    "ko-KR",
    "th-TH",
    "vi-VN",
]


class TranscriptionList(TypedDict):
    """One page of the list."""

    items: list[Transcription]
    next_cursor: str | None
    has_more: bool


class TranscriptionRequest(TypedDict):
    """How to transcribe."""

    language: NotRequired[TranscriptionLanguage]
    translate: NotRequired[bool]
    provider: NotRequired[TranscriptionEngine]


TranscriptionResult: TypeAlias = Literal["done", "error", "request_error"]


TranscriptionStatus: TypeAlias = Literal[
    "sending_request",
    "processing",
    "retrying",
    "done",
    "error",
    "request_error",
]


class Trigger(TypedDict):
    """What was brought about. The webhook follows within seconds."""

    type: TriggerType
    failure_reason: str | None
    room_id: str | None
    connection_test_id: str | None


class TriggerRequest(TypedDict):
    """The webhook that you want to receive."""

    type: TriggerType
    failure_reason: NotRequired[str]
    room_id: NotRequired[str]


TriggerType: TypeAlias = Literal[
    "participant.entered",
    "recording.status_changed",
    "connection_test.completed",
    "transcription.completed",
    "processed_recording.status_changed",
    "clip.status_changed",
    "webhook.test",
]


class TrimRequest(TypedDict):
    """Cut a range from the recording."""

    source: Literal["trim"]
    trim_start_sec: float
    trim_end_sec: float


class UploadRequest(TypedDict):
    """Upload a file that you made yourself."""

    source: Literal["upload"]


Usage = TypedDict(
    "Usage",
    {
        "from": "str",
        "to": "str",
        "rooms_booked": "int",
        "entries": "int",
        "participant_minutes": "float",
        "recordings": "int",
        "recorded_minutes": "float",
        "transcriptions": "int",
        "connection_tests": "int",
        "rooms_open": "int",
        "stored_bytes": "int",
        "limits": "dict[str, Any]",
    },
)


class Viewer(TypedDict):
    """The person of a viewer token."""

    reference: str
    name: str


class ViewerTokenRevocation(TypedDict):
    """Which token to end."""

    jti: str


Visibility: TypeAlias = Literal["public", "private", "observer_only"]


class WebhookAttempt(TypedDict):
    """One attempt."""

    number: int
    started_at: str
    status: int | None
    error: str | None
    duration_ms: int


class WebhookAttemptOutcome(TypedDict):
    """What the endpoint answered."""

    is_accepted: bool
    event_id: str
    status: int | None
    error: str | None
    duration_ms: int


class WebhookDelivery(TypedDict):
    """One event on its way to one endpoint."""

    id: str
    endpoint_id: str
    event_id: str
    type: str
    state: WebhookDeliveryState
    attempts_made: int
    is_parked: bool
    last_status: int | None
    last_error: str | None
    created_at: str
    next_attempt_at: str | None
    finished_at: str | None


class WebhookDeliveryDetail(TypedDict):
    """A delivery with what is sent and every attempt."""

    id: str
    endpoint_id: str
    event_id: str
    type: str
    state: WebhookDeliveryState
    attempts_made: int
    is_parked: bool
    last_status: int | None
    last_error: str | None
    created_at: str
    next_attempt_at: str | None
    finished_at: str | None
    event: Event
    attempts: list[WebhookAttempt]


class WebhookDeliveryList(TypedDict):
    """One page of the list."""

    items: list[WebhookDelivery]
    next_cursor: str | None
    has_more: bool


WebhookDeliveryState: TypeAlias = Literal["pending", "succeeded", "failed", "cancelled"]


class WebhookEndpoint(TypedDict):
    """An address that your webhooks are sent to."""

    id: str
    url: str
    description: str | None
    event_types: list[str] | None
    state: WebhookEndpointState
    consecutive_failures: int
    next_probe_at: str | None
    created_at: str


class WebhookEndpointList(TypedDict):
    """One page of the list."""

    items: list[WebhookEndpoint]
    next_cursor: str | None
    has_more: bool


class WebhookEndpointPatch(TypedDict):
    """What to change. An absent member stays as it is."""

    url: NotRequired[str]
    description: NotRequired[str | None]
    event_types: NotRequired[list[SubscribedType] | None]
    state: NotRequired[WebhookEndpointSwitch]


class WebhookEndpointRequest(TypedDict):
    """The endpoint to create."""

    url: str
    description: NotRequired[str]
    event_types: NotRequired[list[SubscribedType]]


WebhookEndpointState: TypeAlias = Literal["active", "paused", "gone"]


WebhookEndpointSwitch: TypeAlias = Literal["active", "paused"]


WebhookEvent: TypeAlias = "ParticipantEnteredEvent | RecordingStatusChangedEvent | ConnectionTestCompletedEvent | TranscriptionCompletedEvent | ProcessedRecordingStatusChangedEvent | ClipStatusChangedEvent | WebhookTestEvent"


class WebhookOutcome(TypedDict):
    """What came of an attempt that was made immediately."""

    outcome: WebhookAttemptOutcome | None


class WebhookReplay(TypedDict):
    """Which events to send again."""

    since: str
    until: NotRequired[str]
    type: NotRequired[SubscribedType]
    dry_run: NotRequired[bool]


class WebhookReplayResult(TypedDict):
    """What a replay sends."""

    events: int
    is_dry_run: bool


class WebhookTest(TypedDict):
    """A test of the endpoint."""

    message: str


class WebhookTestEvent(TypedDict):
    """A test of your endpoint"""

    id: str
    version: Literal["1"]
    type: Literal["webhook.test"]
    occurred_at: str
    data: WebhookTest


class Operations(Transport):
    """A method for each operation that an API key may call."""

    def list_sessions(
        self,
        *,
        external_type: str,
        external_id: str,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> SessionList:
        """Find sessions by external reference."""
        result: SessionList = self.call(
            "GET",
            "/sessions",
            query={
                "external_type": external_type,
                "external_id": external_id,
                "cursor": cursor,
                "limit": limit,
            },
        )
        return result

    def iter_sessions(
        self,
        *,
        external_type: str,
        external_id: str,
        limit: int | None = None,
    ) -> Iterator[Session]:
        """Find sessions by external reference: every item, page after page."""
        return self.each(
            "/sessions",
            {"external_type": external_type, "external_id": external_id, "limit": limit},
        )

    def get_session(self, session_id: str) -> Session:
        """Get a session."""
        result: Session = self.call("GET", f'/sessions/{quote(session_id, safe="")}')
        return result

    def patch_session(self, session_id: str, body: SessionPatch) -> Session:
        """Move or rename a session."""
        result: Session = self.call("PATCH", f'/sessions/{quote(session_id, safe="")}', body)
        return result

    def cancel_session(self, session_id: str) -> None:
        """Cancel a session."""
        self.call("DELETE", f'/sessions/{quote(session_id, safe="")}')

    def create_room(self, body: RoomRequest, *, idempotency_key: str | None = None) -> Room:
        """Book a room with its session."""
        result: Room = self.call(
            "POST",
            "/rooms",
            body,
            idempotency_key=idempotency_key,
            takes_key=True,
        )
        return result

    def list_rooms(
        self,
        *,
        from_: str,
        to: str,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> RoomOverviewList:
        """List the rooms of a period."""
        result: RoomOverviewList = self.call(
            "GET",
            "/rooms",
            query={"from": from_, "to": to, "cursor": cursor, "limit": limit},
        )
        return result

    def iter_rooms(
        self,
        *,
        from_: str,
        to: str,
        limit: int | None = None,
    ) -> Iterator[RoomOverview]:
        """List the rooms of a period: every item, page after page."""
        return self.each("/rooms", {"from": from_, "to": to, "limit": limit})

    def get_room(self, room_id: str) -> Room:
        """Get a room."""
        result: Room = self.call("GET", f'/rooms/{quote(room_id, safe="")}')
        return result

    def patch_room(self, room_id: str, body: RoomPatch) -> RoomSummary:
        """Change the transcription settings of a room."""
        result: RoomSummary = self.call("PATCH", f'/rooms/{quote(room_id, safe="")}', body)
        return result

    def close_room(self, room_id: str, body: CloseRoom | None = None) -> Room:
        """Close a room."""
        result: Room = self.call("POST", f'/rooms/{quote(room_id, safe="")}/close', body)
        return result

    def list_participants(
        self,
        room_id: str,
        *,
        role: Role | None = None,
        status: ParticipantStatus | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> ParticipantList:
        """List the participants of a room."""
        result: ParticipantList = self.call(
            "GET",
            f'/rooms/{quote(room_id, safe="")}/participants',
            query={"role": role, "status": status, "cursor": cursor, "limit": limit},
        )
        return result

    def iter_participants(
        self,
        room_id: str,
        *,
        role: Role | None = None,
        status: ParticipantStatus | None = None,
        limit: int | None = None,
    ) -> Iterator[Participant]:
        """List the participants of a room: every item, page after page."""
        return self.each(
            f'/rooms/{quote(room_id, safe="")}/participants',
            {"role": role, "status": status, "limit": limit},
        )

    def ban_participant(
        self,
        room_id: str,
        participant_id: str,
        body: BanRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Ban:
        """Ban a participant."""
        result: Ban = self.call(
            "POST",
            f'/rooms/{quote(room_id, safe="")}/participants/{quote(participant_id, safe="")}/ban',
            body,
            idempotency_key=idempotency_key,
            takes_key=True,
        )
        return result

    def list_entry_histories(
        self,
        room_id: str,
        *,
        role: Role | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> EntryHistoryList:
        """List the entry history of a room."""
        result: EntryHistoryList = self.call(
            "GET",
            f'/rooms/{quote(room_id, safe="")}/entry-histories',
            query={"role": role, "cursor": cursor, "limit": limit},
        )
        return result

    def iter_entry_histories(
        self,
        room_id: str,
        *,
        role: Role | None = None,
        limit: int | None = None,
    ) -> Iterator[EntryHistory]:
        """List the entry history of a room: every item, page after page."""
        return self.each(
            f'/rooms/{quote(room_id, safe="")}/entry-histories',
            {"role": role, "limit": limit},
        )

    def list_chat_messages(
        self,
        room_id: str,
        *,
        visibility: Visibility | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> ChatMessageList:
        """List the chat messages of a room."""
        result: ChatMessageList = self.call(
            "GET",
            f'/rooms/{quote(room_id, safe="")}/chat-messages',
            query={"visibility": visibility, "cursor": cursor, "limit": limit},
        )
        return result

    def iter_chat_messages(
        self,
        room_id: str,
        *,
        visibility: Visibility | None = None,
        limit: int | None = None,
    ) -> Iterator[ChatMessage]:
        """List the chat messages of a room: every item, page after page."""
        return self.each(
            f'/rooms/{quote(room_id, safe="")}/chat-messages',
            {"visibility": visibility, "limit": limit},
        )

    def purge_chat_messages(
        self,
        room_id: str,
        *,
        visibility: Visibility | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        """Delete the chat messages of a room."""
        self.call(
            "DELETE",
            f'/rooms/{quote(room_id, safe="")}/chat-messages',
            query={"visibility": visibility},
            idempotency_key=idempotency_key,
            takes_key=True,
        )

    def list_room_events(
        self,
        room_id: str,
        *,
        event_type: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> RoomEventList:
        """List the room events."""
        result: RoomEventList = self.call(
            "GET",
            f'/rooms/{quote(room_id, safe="")}/room-events',
            query={"event_type": event_type, "cursor": cursor, "limit": limit},
        )
        return result

    def iter_room_events(
        self,
        room_id: str,
        *,
        event_type: str | None = None,
        limit: int | None = None,
    ) -> Iterator[RoomEvent]:
        """List the room events: every item, page after page."""
        return self.each(
            f'/rooms/{quote(room_id, safe="")}/room-events',
            {"event_type": event_type, "limit": limit},
        )

    def list_recordings(
        self,
        room_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> RecordingList:
        """List the recordings of a room."""
        result: RecordingList = self.call(
            "GET",
            f'/rooms/{quote(room_id, safe="")}/recordings',
            query={"cursor": cursor, "limit": limit},
        )
        return result

    def iter_recordings(self, room_id: str, *, limit: int | None = None) -> Iterator[Recording]:
        """List the recordings of a room: every item, page after page."""
        return self.each(f'/rooms/{quote(room_id, safe="")}/recordings', {"limit": limit})

    def get_recording(self, recording_id: str) -> Recording:
        """Get a recording."""
        result: Recording = self.call("GET", f'/recordings/{quote(recording_id, safe="")}')
        return result

    def delete_recording(self, recording_id: str, *, idempotency_key: str | None = None) -> None:
        """Delete a recording."""
        self.call(
            "DELETE",
            f'/recordings/{quote(recording_id, safe="")}',
            idempotency_key=idempotency_key,
            takes_key=True,
        )

    def get_recording_download_url(
        self,
        recording_id: str,
        *,
        expires_in_seconds: int | None = None,
    ) -> SignedUrl:
        """Create a download URL of a recording."""
        result: SignedUrl = self.call(
            "GET",
            f'/recordings/{quote(recording_id, safe="")}/download-url',
            query={"expires_in_seconds": expires_in_seconds},
        )
        return result

    def get_recording_completeness(self, recording_id: str) -> RecordingCompleteness:
        """Get what a recording lacks."""
        result: RecordingCompleteness = self.call(
            "GET",
            f'/recordings/{quote(recording_id, safe="")}/completeness',
        )
        return result

    def get_recording_timeline(
        self,
        recording_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> TimelineItemList:
        """Get the timeline of a recording."""
        result: TimelineItemList = self.call(
            "GET",
            f'/recordings/{quote(recording_id, safe="")}/timeline',
            query={"cursor": cursor, "limit": limit},
        )
        return result

    def iter_recording_timeline(
        self,
        recording_id: str,
        *,
        limit: int | None = None,
    ) -> Iterator[TimelineItem]:
        """Get the timeline of a recording: every item, page after page."""
        return self.each(f'/recordings/{quote(recording_id, safe="")}/timeline', {"limit": limit})

    def create_processed_recording(
        self,
        recording_id: str,
        body: ProcessedRecordingRequest,
        *,
        idempotency_key: str | None = None,
    ) -> ProcessedRecording:
        """Create a processed recording."""
        result: ProcessedRecording = self.call(
            "POST",
            f'/recordings/{quote(recording_id, safe="")}/processed-recording',
            body,
            idempotency_key=idempotency_key,
            takes_key=True,
        )
        return result

    def delete_processed_recording(self, recording_id: str) -> None:
        """Delete the processed recording."""
        self.call("DELETE", f'/recordings/{quote(recording_id, safe="")}/processed-recording')

    def get_processed_recording(self, recording_id: str) -> ProcessedRecording:
        """Get the processed recording."""
        result: ProcessedRecording = self.call(
            "GET",
            f'/recordings/{quote(recording_id, safe="")}/processed-recording',
        )
        return result

    def complete_processed_recording(
        self,
        recording_id: str,
        body: CompleteUpload | None = None,
    ) -> ProcessedRecording:
        """Complete an upload."""
        result: ProcessedRecording = self.call(
            "POST",
            f'/recordings/{quote(recording_id, safe="")}/processed-recording/complete',
            body,
        )
        return result

    def get_processed_recording_download_url(
        self,
        recording_id: str,
        *,
        expires_in_seconds: int | None = None,
    ) -> SignedUrl:
        """Create a download URL of the processed recording."""
        result: SignedUrl = self.call(
            "GET",
            f'/recordings/{quote(recording_id, safe="")}/processed-recording/download-url',
            query={"expires_in_seconds": expires_in_seconds},
        )
        return result

    def list_clips(
        self,
        recording_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> ClipList:
        """List the clips of a recording."""
        result: ClipList = self.call(
            "GET",
            f'/recordings/{quote(recording_id, safe="")}/clips',
            query={"cursor": cursor, "limit": limit},
        )
        return result

    def iter_clips(self, recording_id: str, *, limit: int | None = None) -> Iterator[Clip]:
        """List the clips of a recording: every item, page after page."""
        return self.each(f'/recordings/{quote(recording_id, safe="")}/clips', {"limit": limit})

    def create_clip(
        self,
        recording_id: str,
        body: ClipRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Clip:
        """Create a clip."""
        result: Clip = self.call(
            "POST",
            f'/recordings/{quote(recording_id, safe="")}/clips',
            body,
            idempotency_key=idempotency_key,
            takes_key=True,
        )
        return result

    def get_clip(self, clip_id: str) -> Clip:
        """Get a clip."""
        result: Clip = self.call("GET", f'/clips/{quote(clip_id, safe="")}')
        return result

    def delete_clip(self, clip_id: str) -> None:
        """Delete a clip."""
        self.call("DELETE", f'/clips/{quote(clip_id, safe="")}')

    def get_clip_download_url(
        self,
        clip_id: str,
        *,
        expires_in_seconds: int | None = None,
    ) -> SignedUrl:
        """Create a download URL of a clip."""
        result: SignedUrl = self.call(
            "GET",
            f'/clips/{quote(clip_id, safe="")}/download-url',
            query={"expires_in_seconds": expires_in_seconds},
        )
        return result

    def list_transcriptions(
        self,
        recording_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> TranscriptionList:
        """List the transcriptions of a recording."""
        result: TranscriptionList = self.call(
            "GET",
            f'/recordings/{quote(recording_id, safe="")}/transcriptions',
            query={"cursor": cursor, "limit": limit},
        )
        return result

    def iter_transcriptions(
        self,
        recording_id: str,
        *,
        limit: int | None = None,
    ) -> Iterator[Transcription]:
        """List the transcriptions of a recording: every item, page after page."""
        return self.each(
            f'/recordings/{quote(recording_id, safe="")}/transcriptions',
            {"limit": limit},
        )

    def start_transcription(
        self,
        recording_id: str,
        body: TranscriptionRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> Transcription:
        """Start a transcription."""
        result: Transcription = self.call(
            "POST",
            f'/recordings/{quote(recording_id, safe="")}/transcriptions',
            body,
            idempotency_key=idempotency_key,
            takes_key=True,
        )
        return result

    def get_transcription(self, transcription_id: str) -> Transcription:
        """Get a transcription."""
        result: Transcription = self.call(
            "GET",
            f'/transcriptions/{quote(transcription_id, safe="")}',
        )
        return result

    def register_handout(
        self,
        session_id: str,
        *,
        file: File,
        content_type: HandoutContentType,
        sort: int | None = None,
        title: str | None = None,
        external_type: str | None = None,
        external_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> Handout:
        """Register a handout."""
        result: Handout = self.call(
            "POST",
            f'/sessions/{quote(session_id, safe="")}/handouts',
            form={
                "file": file,
                "content_type": content_type,
                "sort": sort,
                "title": title,
                "external_type": external_type,
                "external_id": external_id,
            },
            idempotency_key=idempotency_key,
            takes_key=True,
        )
        return result

    def list_handouts(
        self,
        session_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> HandoutList:
        """List the handouts of a session."""
        result: HandoutList = self.call(
            "GET",
            f'/sessions/{quote(session_id, safe="")}/handouts',
            query={"cursor": cursor, "limit": limit},
        )
        return result

    def iter_handouts(self, session_id: str, *, limit: int | None = None) -> Iterator[Handout]:
        """List the handouts of a session: every item, page after page."""
        return self.each(f'/sessions/{quote(session_id, safe="")}/handouts', {"limit": limit})

    def patch_handout(
        self,
        handout_id: str,
        *,
        file: File | None = None,
        content_type: HandoutContentType | None = None,
        sort: int | None = None,
        title: str | None = None,
    ) -> Handout:
        """Change a handout."""
        result: Handout = self.call(
            "PATCH",
            f'/handouts/{quote(handout_id, safe="")}',
            form={"file": file, "content_type": content_type, "sort": sort, "title": title},
        )
        return result

    def delete_handout(self, handout_id: str) -> None:
        """Delete a handout."""
        self.call("DELETE", f'/handouts/{quote(handout_id, safe="")}')

    def list_connection_tests(
        self,
        *,
        external_type: str | None = None,
        external_id: str | None = None,
        status: ConnectionTestStatus | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> ConnectionTestList:
        """List connection tests."""
        result: ConnectionTestList = self.call(
            "GET",
            "/connection-tests",
            query={
                "external_type": external_type,
                "external_id": external_id,
                "status": status,
                "cursor": cursor,
                "limit": limit,
            },
        )
        return result

    def iter_connection_tests(
        self,
        *,
        external_type: str | None = None,
        external_id: str | None = None,
        status: ConnectionTestStatus | None = None,
        limit: int | None = None,
    ) -> Iterator[ConnectionTest]:
        """List connection tests: every item, page after page."""
        return self.each(
            "/connection-tests",
            {
                "external_type": external_type,
                "external_id": external_id,
                "status": status,
                "limit": limit,
            },
        )

    def start_connection_test(
        self,
        body: ConnectionTestRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> ConnectionTest:
        """Create a connection test."""
        result: ConnectionTest = self.call(
            "POST",
            "/connection-tests",
            body,
            idempotency_key=idempotency_key,
            takes_key=True,
        )
        return result

    def get_connection_test(self, connection_test_id: str) -> ConnectionTest:
        """Get a connection test."""
        result: ConnectionTest = self.call(
            "GET",
            f'/connection-tests/{quote(connection_test_id, safe="")}',
        )
        return result

    def get_connection_test_result(self, connection_test_id: str) -> ConnectionTest:
        """Get the result of a connection test."""
        result: ConnectionTest = self.call(
            "GET",
            f'/connection-tests/{quote(connection_test_id, safe="")}/result',
        )
        return result

    def list_api_keys(self, *, cursor: str | None = None, limit: int | None = None) -> ApiKeyList:
        """List API keys."""
        result: ApiKeyList = self.call("GET", "/api-keys", query={"cursor": cursor, "limit": limit})
        return result

    def iter_api_keys(self, *, limit: int | None = None) -> Iterator[ApiKey]:
        """List API keys: every item, page after page."""
        return self.each("/api-keys", {"limit": limit})

    def issue_api_key(self, body: ApiKeyRequest) -> IssuedApiKey:
        """Issue an API key."""
        result: IssuedApiKey = self.call("POST", "/api-keys", body)
        return result

    def rotate_api_key(self, key_id: str, body: ApiKeyRotation | None = None) -> IssuedApiKey:
        """Rotate an API key."""
        result: IssuedApiKey = self.call("POST", f'/api-keys/{quote(key_id, safe="")}/rotate', body)
        return result

    def get_api_key(self, key_id: str) -> ApiKey:
        """Get an API key."""
        result: ApiKey = self.call("GET", f'/api-keys/{quote(key_id, safe="")}')
        return result

    def revoke_api_key(self, key_id: str) -> None:
        """Revoke an API key."""
        self.call("DELETE", f'/api-keys/{quote(key_id, safe="")}')

    def list_token_keys(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> TokenKeyList:
        """List token keys."""
        result: TokenKeyList = self.call(
            "GET",
            "/token-keys",
            query={"cursor": cursor, "limit": limit},
        )
        return result

    def iter_token_keys(self, *, limit: int | None = None) -> Iterator[TokenKey]:
        """List token keys: every item, page after page."""
        return self.each("/token-keys", {"limit": limit})

    def register_token_key(
        self,
        body: TokenKeyRequest,
        *,
        idempotency_key: str | None = None,
    ) -> TokenKey:
        """Register a token key."""
        result: TokenKey = self.call(
            "POST",
            "/token-keys",
            body,
            idempotency_key=idempotency_key,
            takes_key=True,
        )
        return result

    def get_token_key(self, kid: str) -> TokenKey:
        """Get a token key."""
        result: TokenKey = self.call("GET", f'/token-keys/{quote(kid, safe="")}')
        return result

    def patch_token_key(self, kid: str, body: TokenKeyPatch) -> TokenKey:
        """Retire or revoke a token key."""
        result: TokenKey = self.call("PATCH", f'/token-keys/{quote(kid, safe="")}', body)
        return result

    def revoke_viewer_token(self, body: ViewerTokenRevocation) -> None:
        """Revoke a viewer token."""
        self.call("POST", "/viewer-tokens/revoke", body)

    def list_events(
        self,
        *,
        after: str | None = None,
        type: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> EventList:
        """Read the event feed."""
        result: EventList = self.call(
            "GET",
            "/events",
            query={"after": after, "type": type, "cursor": cursor, "limit": limit},
        )
        return result

    def iter_events(
        self,
        *,
        after: str | None = None,
        type: str | None = None,
        limit: int | None = None,
    ) -> Iterator[Event]:
        """Read the event feed: every item, page after page."""
        return self.each("/events", {"after": after, "type": type, "limit": limit})

    def list_download_accesses(
        self,
        *,
        recording_id: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> DownloadAccessList:
        """Read the access log of downloads."""
        result: DownloadAccessList = self.call(
            "GET",
            "/access-log",
            query={"recording_id": recording_id, "cursor": cursor, "limit": limit},
        )
        return result

    def iter_download_accesses(
        self,
        *,
        recording_id: str | None = None,
        limit: int | None = None,
    ) -> Iterator[DownloadAccess]:
        """Read the access log of downloads: every item, page after page."""
        return self.each("/access-log", {"recording_id": recording_id, "limit": limit})

    def get_usage(self, *, from_: str, to: str) -> Usage:
        """Get your usage."""
        result: Usage = self.call("GET", "/usage", query={"from": from_, "to": to})
        return result

    def request_erasure(
        self,
        body: ErasureRequest,
        *,
        idempotency_key: str | None = None,
    ) -> Erasure:
        """Erase a person."""
        result: Erasure = self.call(
            "POST",
            "/data-subjects/erasures",
            body,
            idempotency_key=idempotency_key,
            takes_key=True,
        )
        return result

    def list_erasures(
        self,
        *,
        subject: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> ErasureList:
        """List erasures."""
        result: ErasureList = self.call(
            "GET",
            "/data-subjects/erasures",
            query={"subject": subject, "cursor": cursor, "limit": limit},
        )
        return result

    def iter_erasures(
        self,
        *,
        subject: str | None = None,
        limit: int | None = None,
    ) -> Iterator[Erasure]:
        """List erasures: every item, page after page."""
        return self.each("/data-subjects/erasures", {"subject": subject, "limit": limit})

    def preview_erasure(self, body: ErasureRequest) -> ErasurePreview:
        """Preview an erasure."""
        result: ErasurePreview = self.call("POST", "/data-subjects/erasure-previews", body)
        return result

    def export_data_subject(self, body: DataExportRequest) -> ExportedRoomList:
        """Export the data of a person."""
        result: ExportedRoomList = self.call("POST", "/data-subjects/exports", body)
        return result

    def get_erasure(self, erasure_id: str) -> Erasure:
        """Get an erasure."""
        result: Erasure = self.call("GET", f'/data-subjects/erasures/{quote(erasure_id, safe="")}')
        return result

    def place_legal_hold(
        self,
        body: LegalHoldRequest,
        *,
        idempotency_key: str | None = None,
    ) -> LegalHold:
        """Place a legal hold."""
        result: LegalHold = self.call(
            "POST",
            "/legal-holds",
            body,
            idempotency_key=idempotency_key,
            takes_key=True,
        )
        return result

    def list_legal_holds(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> LegalHoldList:
        """List legal holds."""
        result: LegalHoldList = self.call(
            "GET",
            "/legal-holds",
            query={"cursor": cursor, "limit": limit},
        )
        return result

    def iter_legal_holds(self, *, limit: int | None = None) -> Iterator[LegalHold]:
        """List legal holds: every item, page after page."""
        return self.each("/legal-holds", {"limit": limit})

    def get_legal_hold(self, legal_hold_id: str) -> LegalHold:
        """Get a legal hold."""
        result: LegalHold = self.call("GET", f'/legal-holds/{quote(legal_hold_id, safe="")}')
        return result

    def release_legal_hold(self, legal_hold_id: str) -> None:
        """Release a legal hold."""
        self.call("DELETE", f'/legal-holds/{quote(legal_hold_id, safe="")}')

    def get_retention(self) -> Retention:
        """Get the retention rules."""
        result: Retention = self.call("GET", "/retention")
        return result

    def patch_retention(self, body: RetentionPatch) -> Retention:
        """Change the retention rules."""
        result: Retention = self.call("PATCH", "/retention", body)
        return result

    def list_webhook_endpoints(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> WebhookEndpointList:
        """List webhook endpoints."""
        result: WebhookEndpointList = self.call(
            "GET",
            "/webhook-endpoints",
            query={"cursor": cursor, "limit": limit},
        )
        return result

    def iter_webhook_endpoints(self, *, limit: int | None = None) -> Iterator[WebhookEndpoint]:
        """List webhook endpoints: every item, page after page."""
        return self.each("/webhook-endpoints", {"limit": limit})

    def create_webhook_endpoint(self, body: WebhookEndpointRequest) -> CreatedWebhookEndpoint:
        """Create a webhook endpoint."""
        result: CreatedWebhookEndpoint = self.call("POST", "/webhook-endpoints", body)
        return result

    def get_webhook_endpoint(self, webhook_endpoint_id: str) -> WebhookEndpoint:
        """Get a webhook endpoint."""
        result: WebhookEndpoint = self.call(
            "GET",
            f'/webhook-endpoints/{quote(webhook_endpoint_id, safe="")}',
        )
        return result

    def patch_webhook_endpoint(
        self,
        webhook_endpoint_id: str,
        body: WebhookEndpointPatch,
    ) -> WebhookEndpoint:
        """Change, pause or resume a webhook endpoint."""
        result: WebhookEndpoint = self.call(
            "PATCH",
            f'/webhook-endpoints/{quote(webhook_endpoint_id, safe="")}',
            body,
        )
        return result

    def delete_webhook_endpoint(self, webhook_endpoint_id: str) -> None:
        """Delete a webhook endpoint."""
        self.call("DELETE", f'/webhook-endpoints/{quote(webhook_endpoint_id, safe="")}')

    def rotate_webhook_secret(self, webhook_endpoint_id: str) -> RotatedSecret:
        """Rotate the secret of a webhook endpoint."""
        result: RotatedSecret = self.call(
            "POST",
            f'/webhook-endpoints/{quote(webhook_endpoint_id, safe="")}/rotate-secret',
        )
        return result

    def test_webhook_endpoint(self, webhook_endpoint_id: str) -> WebhookOutcome:
        """Test a webhook endpoint."""
        result: WebhookOutcome = self.call(
            "POST",
            f'/webhook-endpoints/{quote(webhook_endpoint_id, safe="")}/test',
        )
        return result

    def replay_webhook_events(
        self,
        webhook_endpoint_id: str,
        body: WebhookReplay,
    ) -> WebhookReplayResult:
        """Replay events."""
        result: WebhookReplayResult = self.call(
            "POST",
            f'/webhook-endpoints/{quote(webhook_endpoint_id, safe="")}/replay',
            body,
        )
        return result

    def list_webhook_deliveries(
        self,
        *,
        endpoint_id: str | None = None,
        state: WebhookDeliveryState | None = None,
        type: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> WebhookDeliveryList:
        """List webhook deliveries."""
        result: WebhookDeliveryList = self.call(
            "GET",
            "/webhook-deliveries",
            query={
                "endpoint_id": endpoint_id,
                "state": state,
                "type": type,
                "cursor": cursor,
                "limit": limit,
            },
        )
        return result

    def iter_webhook_deliveries(
        self,
        *,
        endpoint_id: str | None = None,
        state: WebhookDeliveryState | None = None,
        type: str | None = None,
        limit: int | None = None,
    ) -> Iterator[WebhookDelivery]:
        """List webhook deliveries: every item, page after page."""
        return self.each(
            "/webhook-deliveries",
            {"endpoint_id": endpoint_id, "state": state, "type": type, "limit": limit},
        )

    def get_webhook_delivery(self, webhook_delivery_id: str) -> WebhookDeliveryDetail:
        """Get a webhook delivery."""
        result: WebhookDeliveryDetail = self.call(
            "GET",
            f'/webhook-deliveries/{quote(webhook_delivery_id, safe="")}',
        )
        return result

    def redeliver_webhook(self, webhook_delivery_id: str) -> WebhookOutcome:
        """Make a delivery again."""
        result: WebhookOutcome = self.call(
            "POST",
            f'/webhook-deliveries/{quote(webhook_delivery_id, safe="")}/redeliver',
        )
        return result

    def get_sandbox(self) -> Sandbox:
        """Get your sandbox."""
        result: Sandbox = self.call("GET", "/sandbox")
        return result

    def add_simulated_person(self, room_id: str, body: SimulatedPersonRequest) -> SimulatedPerson:
        """Let a simulated person enter."""
        result: SimulatedPerson = self.call(
            "POST",
            f'/sandbox/rooms/{quote(room_id, safe="")}/people',
            body,
        )
        return result

    def remove_simulated_person(self, room_id: str, participant_id: str) -> None:
        """Let a simulated person leave."""
        self.call(
            "DELETE",
            f'/sandbox/rooms/{quote(room_id, safe="")}/people/{quote(participant_id, safe="")}',
        )

    def trigger_webhook(self, body: TriggerRequest) -> Trigger:
        """Trigger a webhook."""
        result: Trigger = self.call("POST", "/sandbox/triggers", body)
        return result

    def advance_sandbox_clock(self, body: ClockAdvance) -> AdvancedClock:
        """Advance the clock."""
        result: AdvancedClock = self.call("POST", "/sandbox/clock", body)
        return result
