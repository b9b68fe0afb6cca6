{{- define "interview-room.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* Takes a dict of root and component. */}}
{{- define "interview-room.selector" -}}
app.kubernetes.io/name: interview-room
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "interview-room.labels" -}}
{{ include "interview-room.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "interview-room.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* The one recorder, or each of several by a name of its own. */}}
{{- define "interview-room.recorders" -}}
{{- $name := printf "%s-recorder" (include "interview-room.name" .) -}}
{{- $replicas := int .Values.recorder.replicas -}}
{{- if eq $replicas 1 -}}
http://{{ $name }}:7890
{{- else -}}
{{- range $ordinal := until $replicas -}}
{{- if $ordinal }},{{ end -}}
http://{{ $name }}-{{ $ordinal }}:7890
{{- end -}}
{{- end -}}
{{- end }}

{{/* Settings for every process, after the role. */}}
{{- define "interview-room.environment" -}}
- name: MIGRATE_AT_START
  value: 'false'
{{- if .Values.recorder.enabled }}
- name: LIVEKIT_EGRESS_URL
  value: {{ include "interview-room.recorders" . }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "interview-room.secrets" -}}
- secretRef:
    name: {{ required "existingSecret is required: a Secret with DATABASE_URL, SECRETS_KEY, LIVEKIT_API_KEY and LIVEKIT_API_SECRET" .Values.existingSecret }}
{{- end }}

{{- define "interview-room.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "interview-room.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop:
    - ALL
{{- end }}

{{/* Probes of the operations port. */}}
{{- define "interview-room.probes" -}}
startupProbe:
  httpGet:
    path: /health
    port: operations
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet:
    path: /health
    port: operations
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet:
    path: /health/ready
    port: operations
  periodSeconds: 2
  timeoutSeconds: 5
  {{- /* One slow answer of the database fails the probes of all pods together. A pod that stops needs no probe to leave. */}}
  failureThreshold: 3
{{- end }}

{{/* Metadata of pods. Takes a dict of about and pod. Labels of the chart win: they select the pods. */}}
{{- define "interview-room.podMetadata" -}}
labels:
  {{- toYaml (merge (include "interview-room.labels" .about | fromYaml) .pod.podLabels) | nindent 2 }}
{{- with .pod.podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The port that an address means. */}}
{{- define "interview-room.portOf" -}}
{{- $url := urlParse . -}}
{{- regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (has $url.scheme (list "http" "ws") | ternary "80" "443") -}}
{{- end }}

{{/* One egress rule. Takes a dict of target (to, ports) and urls, which say the ports where there are none. */}}
{{- define "interview-room.egress" -}}
{{- $ports := list -}}
{{- range .target.ports }}{{ $ports = append $ports (toString .) }}{{ end -}}
{{- if not $ports }}
{{- range .urls }}{{ if . }}{{ $ports = append $ports (include "interview-room.portOf" (trim .)) }}{{ end }}{{ end }}
{{- end -}}
- ports:
{{- range uniq $ports }}
    - protocol: TCP
      port: {{ . }}
{{- end }}
{{- with .target.to }}
  to:
    {{- toYaml . | nindent 4 }}
{{- end }}
{{- end }}

{{/* Names, by any server. */}}
{{- define "interview-room.egressToNames" -}}
- ports:
    - protocol: UDP
      port: 53
    - protocol: TCP
      port: 53
{{- end }}

{{/* Media of LiveKit. */}}
{{- define "interview-room.egressToMedia" -}}
{{- with .Values.networkPolicy.egress.media -}}
- ports:
    - protocol: UDP
      port: {{ .firstPort }}
      endPort: {{ .lastPort }}
{{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
{{- end }}
{{- end }}
{{- end }}

{{/* What api and worker reach in the same way. */}}
{{- define "interview-room.egressOfService" -}}
{{- $settings := .Values.settings -}}
{{- $egress := .Values.networkPolicy.egress -}}
{{- $livekit := list $settings.LIVEKIT_URL -}}
{{- if not .Values.recorder.enabled }}
{{- $livekit = concat $livekit (splitList "," ($settings.LIVEKIT_EGRESS_URL | default "")) }}
{{- end -}}
{{ include "interview-room.egressToNames" . }}
{{ include "interview-room.egress" (dict "target" $egress.database) }}
{{ include "interview-room.egress" (dict "target" $egress.bucket "urls" (list ($settings.S3_ENDPOINT | default "https://"))) }}
{{ include "interview-room.egress" (dict "target" $egress.livekit "urls" $livekit) }}
{{- if .Values.recorder.enabled }}
- ports:
    - protocol: TCP
      port: 7890
  to:
    - podSelector:
        matchLabels:
          {{- include "interview-room.selector" (dict "root" . "component" "recorder") | nindent 10 }}
{{- end }}
{{- with $settings.OTEL_EXPORTER_OTLP_ENDPOINT }}
{{ include "interview-room.egress" (dict "target" $egress.collector "urls" (list .)) }}
{{- end }}
{{- $private := $settings.WEBHOOKS_ALLOW_PRIVATE_TARGETS | default "false" | toString }}
{{- $isPrivate := eq $private "true" }}
# Webhooks, key sets of tenants, vendors of transcription: the ports that the service accepts in an address.
- ports:
    - protocol: TCP
      port: 443
    - protocol: TCP
      port: 1024
      endPort: 65535
    {{- if eq ($settings.WEBHOOKS_ALLOW_HTTP | default (toString (ne $private "false"))) "true" }}
    - protocol: TCP
      port: 80
    {{- end }}
  {{- if not $isPrivate }}
  to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except: [10.0.0.0/8, 100.64.0.0/10, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16]
    - ipBlock:
        cidr: ::/0
        except: ['fc00::/7', 'fe80::/10']
  {{- end }}
{{- with $egress.extra }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Where pods run. */}}
{{- define "interview-room.scheduling" -}}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "interview-room.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "interview-room.selector" . | nindent 8 }}
{{- end }}
