{{- define "semel.name" -}}
{{- if contains "semel" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-semel" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "semel.labels" -}}
app.kubernetes.io/name: semel
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "semel.marks" -}}
{{ include "semel.labels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "semel.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* The secret of one part (store, database, streams): named, or that of the trial, or none. */}}
{{- define "semel.secret" -}}
{{- $part := index .root.Values .part }}
{{- if $part.secret }}{{ $part.secret }}{{ else if .root.Values.trial.enabled }}{{ include "semel.name" .root }}-trial{{ end }}
{{- end }}

{{/* A variable from that secret. */}}
{{- define "semel.variable" -}}
{{- $secret := include "semel.secret" . }}
{{- if $secret }}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ if (index .root.Values .part).secret }}{{ (index .root.Values .part).key }}{{ else }}{{ .part }}{{ end }}
{{- end }}
{{- end }}

{{- define "semel.container" -}}
image: {{ include "semel.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
lifecycle:
  preStop:
    exec:
      command: [sleep, {{ .Values.termination.preStopSeconds | quote }}]
{{- end }}

{{- define "semel.pod" -}}
# A service called semel-gateway would give SEMEL_GATEWAY_PORT another meaning.
enableServiceLinks: false
automountServiceAccountToken: false
terminationGracePeriodSeconds: {{ .Values.termination.graceSeconds }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}
