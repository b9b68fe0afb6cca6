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
  failureThreshold: 1
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
