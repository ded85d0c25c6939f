import type { AskReadiness } from '../actors/health/ports.ts'
import type { IssueSecret, OwnKeys, PublicKeys } from '../actors/identity.ts'
import type { Pronunciations } from '../actors/pronunciation/ports.ts'
import { alignRoute } from './align/route.ts'
import type { AlignPorts } from './align/route.ts'
import { againRoute } from './batches/again.ts'
import type { AgainPorts } from './batches/again.ts'
import { cancelFilesRoute, cancelRoute } from './batches/cancel.ts'
import { capacityRoute } from './batches/capacity.ts'
import { downloadRoute } from './batches/download.ts'
import { editRoute } from './batches/edit.ts'
import type { EditPorts } from './batches/edit.ts'
import { fileStatusRoute } from './batches/file-status.ts'
import type { FindPorts } from './batches/find-file.ts'
import { listTranscribedRoute } from './batches/list-files.ts'
import type { ListTranscribedPorts } from './batches/list-files.ts'
import { listBatchesRoute } from './batches/list.ts'
import type { ListBatchesPorts } from './batches/list.ts'
import type { ListingPorts } from './batches/listing.ts'
import { deleteBatchRoute } from './batches/remove.ts'
import { renameBatchRoute } from './batches/rename.ts'
import { batchResultsRoute, fileResultRoute } from './batches/results.ts'
import type { FileResultPorts } from './batches/results.ts'
import { retryFilesRoute, retryRoute } from './batches/retry.ts'
import { batchStatusRoute } from './batches/status.ts'
import { submitRoute } from './batches/submit.ts'
import type { SubmitRouteLimits, SubmitRoutePorts } from './batches/submit.ts'
import { unredactedRoute } from './batches/unredacted.ts'
import { modelRoutes } from './compatible/models.ts'
import { transcriptionsRoute } from './compatible/route.ts'
import { translationsRoute } from './compatible/translations.ts'
import type { CompatibleLimits } from './compatible/while-waiting.ts'
import type { Assets } from './console/assets.ts'
import { realtimePlaceRoute } from './console/realtime.ts'
import { consoleRoutes } from './console/route.ts'
import { signInRoute } from './console/sign-in.ts'
import type { SignInProvider } from './console/sign-in.ts'
import { withDocs } from './docs/routes.ts'
import { evaluateRoute } from './evaluate/route.ts'
import type { EvaluatePorts } from './evaluate/route.ts'
import { batchEventsRoute } from './events/route.ts'
import type { EventPorts } from './events/route.ts'
import { fileAudioRoute } from './files/audio.ts'
import type { AudioPorts } from './files/audio.ts'
import { listFilesRoute, uploadStatusRoute } from './files/read.ts'
import type { ReadPorts } from './files/read.ts'
import { deleteFilesRoute } from './files/remove.ts'
import type { AcceptPorts } from './files/accept.ts'
import { openUploadPlaces, uploadRoute } from './files/upload.ts'
import type { UploadLimits } from './files/upload.ts'
import { healthRoutes } from './health.ts'
import { inquiryRoutes } from './inquiries/routes.ts'
import type { InquiryRoutePorts } from './inquiries/routes.ts'
import { jwksRoute } from './jwks.ts'
import { keyRoutes } from './keys/routes.ts'
import type { PlaceShares } from './places.ts'
import { pronunciationRoutes } from './pronunciations/routes.ts'
import { callRoutes } from './realtime/calls.ts'
import type { RealtimePlace } from './realtime/place.ts'
import { secretRoutes } from './realtime/secrets.ts'
import { resumableRoutes } from './resumable/routes.ts'
import type { ResumableLimits, ResumablePorts } from './resumable/receive.ts'
import type { Route } from './route.ts'
import { searchRoute } from './search/route.ts'
import type { SearchLimits, SearchPorts } from './search/route.ts'
import { sessionTurnsRoute } from './session-recordings/turns.ts'
import type { TurnsPorts } from './session-recordings/turns.ts'
import { shareLinkRoutes } from './share-links/routes.ts'
import type { ShareLinkRoutePorts } from './share-links/routes.ts'
import { sharedRoutes } from './share-links/shared.ts'
import type { SpeechLimits, SpeechPorts } from './speech/ports.ts'
import { speechRoute } from './speech/speak.ts'
import { voiceRoutes } from './speech/voices.ts'
import { usageRoute } from './usage/route.ts'
import type { UsageLimits, UsagePorts } from './usage/route.ts'
import { vocabularyRoutes } from './vocabularies/routes.ts'
import type { VocabularyRoutePorts } from './vocabularies/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import type { WebhookRoutePorts } from './webhooks/routes.ts'

export type RoutePorts = AcceptPorts &
  ResumablePorts &
  ReadPorts &
  SubmitRoutePorts &
  EventPorts &
  ListingPorts &
  ListBatchesPorts &
  ListTranscribedPorts &
  FindPorts &
  EditPorts &
  AgainPorts &
  FileResultPorts &
  ShareLinkRoutePorts &
  InquiryRoutePorts &
  WebhookRoutePorts &
  VocabularyRoutePorts &
  AudioPorts &
  TurnsPorts &
  AlignPorts &
  EvaluatePorts &
  UsagePorts &
  SearchPorts & {
    readonly speech: SpeechPorts
    readonly ownPronunciations: Pronunciations
    readonly issueSecret: IssueSecret
    readonly keys: OwnKeys
    readonly publicKeys: () => PublicKeys
    /** Of the console. */
    readonly assets: Assets
    /** Where people sign in to it; undefined: they paste a token. */
    readonly signIn: SignInProvider | undefined
    readonly realtimePlace: RealtimePlace
    readonly ready: AskReadiness
  }

interface RouteLimits {
  readonly upload: UploadLimits
  readonly resumable: ResumableLimits
  readonly submit: SubmitRouteLimits
  readonly events: PlaceShares
  readonly speech: SpeechLimits
  readonly wait: CompatibleLimits
  readonly search: SearchLimits
  readonly usage: UsageLimits
}

/** Everything that this service answers to. */
export function routesOf(ports: RoutePorts, limits: RouteLimits): Route[] {
  const places = openUploadPlaces(limits.upload.places)
  return withDocs([
    uploadRoute(ports, limits.upload, places),
    ...resumableRoutes(ports, limits.resumable, places),
    uploadStatusRoute(ports),
    listFilesRoute(ports),
    deleteFilesRoute(ports),
    fileAudioRoute(ports),
    sessionTurnsRoute(ports),
    submitRoute(ports, limits.submit),
    listBatchesRoute(ports),
    listTranscribedRoute(ports),
    capacityRoute(ports),
    usageRoute(ports, limits.usage),
    renameBatchRoute(ports),
    deleteBatchRoute(ports),
    cancelRoute(ports),
    cancelFilesRoute(ports),
    retryRoute(ports),
    retryFilesRoute(ports),
    batchStatusRoute(ports),
    fileStatusRoute(ports),
    batchEventsRoute(ports, limits.events),
    batchResultsRoute(ports),
    fileResultRoute(ports),
    unredactedRoute(ports),
    editRoute(ports),
    ...inquiryRoutes(ports),
    againRoute(ports),
    ...shareLinkRoutes(ports),
    ...sharedRoutes(ports),
    downloadRoute(ports),
    evaluateRoute(ports),
    searchRoute(ports, limits.search),
    ...vocabularyRoutes(ports),
    ...webhookRoutes(ports),
    alignRoute(ports, limits.wait),
    transcriptionsRoute(ports, limits.wait),
    translationsRoute(ports, limits.wait),
    ...modelRoutes(),
    speechRoute(ports.speech, limits.speech),
    ...voiceRoutes(ports.speech),
    ...pronunciationRoutes(ports.ownPronunciations),
    ...secretRoutes(ports.issueSecret),
    ...callRoutes({ place: ports.realtimePlace, log: ports.log }),
    ...keyRoutes(ports.keys),
    jwksRoute(ports.publicKeys),
    realtimePlaceRoute(ports.realtimePlace, ports.clock),
    signInRoute(ports.signIn),
    ...consoleRoutes(ports.assets, ports.signIn),
    ...healthRoutes(ports.ready),
  ])
}
