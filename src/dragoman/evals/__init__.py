"""How well Dragoman plans: data sets, the published metrics, reports."""
