{{- define "vds-proxy.selector" -}}
app.kubernetes.io/name: vds-proxy
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "vds-proxy.labels" -}}
{{ include "vds-proxy.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* The alert on a proxy that is gone finds it by this part of the name. */}}
{{- define "vds-proxy.name" -}}
{{- if contains "vds-proxy" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-vds-proxy" (.Release.Name | trunc 40 | trimSuffix "-") }}{{ end }}
{{- end }}

{{- define "vds-proxy.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{- if not (regexMatch "^sha256:[0-9a-f]{64}$" .digest) }}{{ fail "image.digest: must be sha256: and 64 hexadecimal digits" }}{{ end -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end }}
